# `make` alone lists what there is to call.
.DEFAULT_GOAL := help
.NOTPARALLEL:
SHELL := /bin/bash
BIN := .venv/bin
CODE := assistant vision ui hardware deploy tests

.PHONY: help
help: ## list these targets
	@sed -nE 's/^([a-z0-9-]+):.*## (.*)/make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 18

.PHONY: setup
setup: ready ## prepare this folder: system libraries, .venv, pinned packages; again only when these have changed
	@echo "The command is $(BIN)/stationmaster."

.PHONY: ready
ready:
	@PYTHON='$(PYTHON)' deploy/setup.sh

.PHONY: demo
demo: ready ## watch a whole game: at the kiosk where there is a screen, else on a simulated table (into demo-out/)
	@if [ -n "$$DISPLAY$$WAYLAND_DISPLAY" ] || compgen -G '/dev/dri/card*' >/dev/null; then \
		$(BIN)/stationmaster kiosk --play 1 --wait 0 && exit; \
	fi; \
	$(BIN)/stationmaster demo --out demo-out

.PHONY: test
test: lint types contracts pytest ## run all checks in this order, up to the first that fails

.PHONY: lint
lint: ready ## only style: ruff's rules and its formatting
	@echo "lint: ruff looks for mistakes and for lines that are not formatted"
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

.PHONY: types
types: ready ## only types: mypy, strict, tests included
	@echo "types: mypy checks every annotation, strictly"
	@$(BIN)/mypy --strict $(CODE)

.PHONY: contracts
contracts: ready ## only the doors between the packages: import-linter
	@echo "contracts: import-linter checks which package may import which"
	@$(BIN)/lint-imports --no-logo

.PHONY: pytest
pytest: ready ## only the tests; PYTEST="-k hexes" hands options on
	@echo "pytest: the tests; a warning is an error"
	@$(BIN)/pytest -n 2 $(PYTEST)

.PHONY: trees
trees: ready ## write the widget trees of all screens anew; what has changed shows as a difference
	@STATIONMASTER_WRITE_TREES=1 $(BIN)/pytest -q tests/ui/kiosk/test_drawn.py -k trees

.PHONY: words
words: ready ## bring the kiosk's catalogues up to date with the words in the code; lists what is not translated
	@$(BIN)/python deploy/words.py

.PHONY: format
format: ready ## put the code into ruff's format and mend what ruff can mend
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

.PHONY: bench
bench: ready ## measure engine, journal, reading, screen and vision; exit 1 when a goal is missed
	@failed=0; \
	for bench in engine journal reading ui vision; do $(BIN)/stationmaster bench $$bench || failed=1; done; \
	exit $$failed

.PHONY: test-camera
test-camera: ready ## our camera on the real picamera2 with a virtual camera; builds libcamera the first time
	@tests/camera/run.sh $(PYTEST)

.PHONY: soak
soak: ready ## 100,000 views and a whole game on the screen, then the camera process for 10 minutes with one fault after another; FOR=60 is shorter
	@$(BIN)/python -m tests.ui.kiosk.soak
	@$(BIN)/python -m tests.camera.soak $(or $(FOR),600)

.PHONY: torture
torture: ready ## faults injected on purpose, the whole campaign (about 20 minutes); TORTURE="kills --share 0.1" is a part
	@$(BIN)/python -m tests.torture $(TORTURE)

.PHONY: fuzz
fuzz: ready ## feed bytes to what reads them, by what they reach in the code (x86_64 only); FUZZ="--for 300 packs" is a part
	@if [ "$$(uname -m)" = x86_64 ]; then \
		$(BIN)/python -m pip install --quiet --require-hashes -r tests/torture/requirements.txt; \
	fi
	@$(BIN)/python -m tests.torture.fuzz $(FUZZ)

.PHONY: test-install
test-install: ready ## the installer in a clean Debian chroot, twice in a row, and away again; needs root; SUITE=trixie
	@tests/deploy/chroot.sh $(or $(SUITE),bookworm)

.PHONY: test-boot
test-boot: ready ## the installed table on an emulated machine with a real systemd: crashes, a power cut, updates; needs root
	@$(BIN)/python -m tests.boot $(BOOT)

.PHONY: test-arm64
test-arm64: ready ## imports, rule cases and a round of the demo on arm64 under qemu; needs root
	@tests/deploy/arm64.sh

.PHONY: release
release: ready ## a folder in dist/ to install from; WHEELS=1 puts everything in it that a table without a network needs
	@deploy/release.sh $(if $(WHEELS),--wheels)

.PHONY: peers
peers: ready ## install the pinned peers that `make bench` compares with when they are there
	@$(BIN)/python -m pip install --quiet --require-hashes -r deploy/requirements-bench.txt

.PHONY: pins
pins: | $(BIN)/python ## for maintainers: settle the newest versions again and write deploy/requirements*.txt
	@$(BIN)/python deploy/pins.py

$(BIN)/python:
	@deploy/setup.sh
