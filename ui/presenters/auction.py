"""An auction: what is at stake, the track, the bidders, and the bid that is thought of.

Plus and minus move the cursor over the legal spaces, "Bid" does it. Locking in has a button of its own, on
which the progress of a held OK button is drawn. Kept in `nav.values`: "seat", "stake" (the page of cards),
"track" (the first cell shown of a long track, while the cursor stands at "track_at").
"""

from __future__ import annotations

from assistant.choosing import Choice, Option
from assistant.display import Auction, Bidder
from assistant.layout import CardFace
from ui.presenters import choice as chooser
from ui.presenters import parts, wording
from ui.presenters.clocks import clock_button
from ui.presenters.elements import (
    AnyElement,
    Badge,
    BidTrack,
    Button,
    Cell,
    Column,
    Disc,
    Icon,
    Page,
    Panel,
    Prompt,
    Row,
    Rule,
    Space,
    Text,
)
from ui.presenters.intents import Go, Intent, Set
from ui.presenters.nav import Nav
from ui.presenters.shown import Shown, display_of, playing_of

STAKE_CARDS, STAKE_CARDS_SMALL = 4, 3
"""Cards at stake on one page, and on one of a small panel."""
MOST_CELLS = 24
"""Most cells of a track that are drawn at once; a longer one is shown where the bidding is."""


def page(shown: Shown, nav: Nav) -> Page:
    """The auction."""
    auction = display_of(shown).auction
    if auction is None:
        # Somebody may have gone here by hand; the chooser shows whatever is asked.
        return chooser.page(shown, nav)
    choice = parts.speaking(shown, nav)
    return Page(
        id="auction",
        top=parts.top(shown),
        prompt=parts.explained(shown, nav, _prompt(shown, auction, choice)),
        body=_body(shown, nav, auction, choice),
        left=(
            parts.undo_button(shown),
            parts.rule_button(shown),
            parts.log_button(shown, shown.words.t("Bids"), only="bid"),
            *clock_button(shown),
            *_more(shown, choice),
        ),
        right=_answers(shown, choice),
    )


# Which option is what -----------------------------------------------------------------------------


def space_of(option: Option) -> int | None:
    """The space of the track that an option bids, None for anything else."""
    space = getattr(option.action, "space", None)
    return space if isinstance(space, int) and option.role == "offer" else None


def _bids(choice: Choice) -> list[int]:
    """Indices of the bids, the lowest first."""
    found = [(space, n) for n, o in enumerate(choice.options) if (space := space_of(o)) is not None]
    return [number for _, number in sorted(found)]


def _lock(choice: Choice) -> int | None:
    return next((n for n, option in enumerate(choice.options) if option.locks), None)


def _rest(choice: Choice) -> list[int]:
    bids, lock = _bids(choice), _lock(choice)
    return [n for n in range(len(choice.options)) if n not in bids and n != lock]


def _more(shown: Shown, choice: Choice | None) -> tuple[Button, ...]:
    if choice is None or not _rest(choice):
        return ()
    go = Go("choice", parts.heard(shown, choice.seat))
    return (Button(id="more", text=shown.words.t("More"), kind="quiet", intent=go),)


# The prompt ---------------------------------------------------------------------------------------


def _bidder(auction: Auction, seat: str) -> Bidder | None:
    return next((bidder for bidder in auction.bidders if bidder.seat == seat), None)


def _prompt(shown: Shown, auction: Auction, choice: Choice | None) -> Prompt:
    t = shown.words.t
    if choice is None:
        return Prompt(t("The auction goes on"), "", "none")
    name, own = wording.seat_name(shown, choice.seat), _bidder(auction, choice.seat)
    if not choice.why or own is None:
        return Prompt(t("{name}: anything besides your turn?", name=name), "", "none", choice.seat)
    if not _bids(choice):
        text = t("{name}: lock in at {n}", name=name, n=own.value)
    elif _lock(choice) is None:
        text = t("{name}: make a bid", name=name)
    else:
        text = t("{name}: raise your bid or lock in at {n}", name=name, n=own.value)
    said = []
    if own.holds is not None:
        said.append(t("You hold {n} {what}.", n=own.holds, what=wording.word(shown, auction.what)))
    chosen = choice.chosen
    said.append(wording.hint_words(shown, chosen.foresight) if chosen is not None else "")
    return Prompt(text, " ".join(filter(None, said)), "clear", choice.seat)


# The body -----------------------------------------------------------------------------------------


def _body(shown: Shown, nav: Nav, auction: Auction, choice: Choice | None) -> Column:
    rows: list[AnyElement] = []
    if auction.stake:
        rows.append(_stake(shown, nav, auction))
    rows.append(_track(shown, nav, auction, choice))
    panels = tuple(_panel(shown, auction, bidder, choice) for bidder in auction.bidders)
    rows.append(Row(children=panels, gap=12, grow=1))
    small = shown.metrics.small
    return Column(children=tuple(rows), gap=6 if small else 8, pad=10 if small else 16)


def _stake(shown: Shown, nav: Nav, auction: Auction) -> Row:
    small = shown.metrics.small
    leaf = parts.leaf(
        len(auction.stake), STAKE_CARDS_SMALL if small else STAKE_CARDS, nav.values.get("stake")
    )
    words = wording.word(shown, auction.stake_words) if auction.stake_words else ""
    label = Text(text=words, size="note", tone="text2", lines=3, w=114 if small else 96)
    cards: list[AnyElement] = [_stake_card(shown, card) for card in auction.stake[leaf.first : leaf.end]]
    if leaf.of > 1:
        onward = Set({"stake": (leaf.number + 1) % leaf.of})
        cards.append(
            Button(id="stake", text=f"{leaf.number + 1}/{leaf.of}", icon="arrow", intent=onward, w=104)
        )
    return Row(children=(label, *cards), gap=12, h=96 if small else 84)


def _stake_card(shown: Shown, card: CardFace) -> Panel:
    return parts.face(shown, card, lines=1, grow=1)


def _cells(auction: Auction, choice: Choice | None) -> tuple[list[Cell], dict[int, Intent], int | None]:
    """All cells, white ones first, what touching them does, and the index of the chosen one."""
    values = {bidder.seat: bidder for bidder in auction.bidders}
    cells: list[Cell] = []
    for place in range(auction.white_spaces):
        seat = auction.white[place] if place < len(auction.white) else ""
        bidder = values.get(seat)
        disc = Disc(seat, not bidder.up) if bidder is not None and bidder.value == 0 else None
        cells.append(Cell(0, disc, white=True))
    taken = {bidder.value: bidder for bidder in auction.bidders if bidder.value}
    bids = {space: n for n in _bids(choice) if (space := space_of(choice.options[n]))} if choice else {}
    intents: dict[int, Intent] = {}
    chosen = None
    for number in range(1, auction.top + 1):
        bidder, disc = taken.get(number), None
        if bidder is not None:
            disc = Disc(bidder.seat, not bidder.up)
        here = choice is not None and number in bids and choice.at == bids[number]
        if choice is not None and number in bids:
            intents[len(cells)] = parts.point(choice, bids[number])
        if here and choice is not None:
            chosen, disc = len(cells), Disc(choice.seat, faint=True)
        cells.append(Cell(number, disc, legal=number in bids, chosen=here))
    return cells, intents, chosen


def _track(shown: Shown, nav: Nav, auction: Auction, choice: Choice | None) -> AnyElement:
    cells, intents, chosen = _cells(auction, choice)
    if len(cells) <= MOST_CELLS:
        return BidTrack(cells=tuple(cells), intents=intents, h=112)
    # What is thought of, else the lowest that may be bid, stands in the middle; from there one can turn on.
    at, last = choice.at if choice is not None else None, len(cells) - MOST_CELLS
    first = (chosen if chosen is not None else min(intents, default=0)) - MOST_CELLS // 2
    if isinstance(nav.values.get("track"), int) and nav.values.get("track_at") == at:
        first = nav.values["track"]
    first = min(max(0, first), last)
    end, t = first + MOST_CELLS, shown.words.t
    track = BidTrack(
        cells=tuple(cells[first:end]),
        intents={index - first: intent for index, intent in intents.items() if first <= index < end},
        h=112,
        grow=1,
    )
    lower = Set({"track": max(0, first - MOST_CELLS), "track_at": at}) if first > 0 else None
    higher = Set({"track": min(last, end), "track_at": at}) if first < last else None
    below, above = t("The track begins here."), t("The track ends here.")
    return Row(
        children=(
            Button(id="lower", icon="back", w=64, intent=lower, reason="" if lower else below),
            track,
            Button(id="higher", icon="arrow", w=64, intent=higher, reason="" if higher else above),
        ),
        gap=8,
        h=112,
    )


def _panel(shown: Shown, auction: Auction, bidder: Bidder, choice: Choice | None) -> Panel:
    t, acting = shown.words.t, choice is not None and choice.why != "" and choice.seat == bidder.seat
    what = wording.word(shown, auction.what)
    strip = next((s for s in display_of(shown).strips if s.seat == bidder.seat), None)
    status = wording.word(shown, strip.status) if strip is not None and strip.status else ""
    head: list[AnyElement] = [
        Badge(seat=bidder.seat, side=44),
        Text(text=wording.seat_name(shown, bidder.seat), size="button", bold=True, grow=1, shrink=True),
    ]
    if not bidder.up:
        head.append(Icon(name="lock", side=24))
    middle: list[AnyElement] = [Text(text=status, size="note", tone="text2", grow=1)]
    if bidder.holds is not None:
        middle += [
            Icon(name=parts.ICONS.get(auction.what, auction.what), side=24, tone="text2"),
            Text(text=str(bidder.holds), bold=True),
        ]
    rank = wording.word(shown, f"rank.{bidder.rank}")
    share = wording.word(shown, bidder.share) if bidder.share else ""
    short = (t("1st"), t("2nd"), t("3rd"), t("4th"), t("5th"), t("6th"))
    if share and 1 <= bidder.rank <= len(short):
        rank = short[bidder.rank - 1]
    pays = t("{rank} pays {share}", rank=rank, share=share) if share else rank
    foot = Row(
        children=(
            # On a small panel the place is needed for what is paid.
            *(() if shown.metrics.small else (Text(text=t("bid"), size="note", tone="text2"),)),
            Text(text=str(bidder.value), size="title", bold=True),
            Column(
                children=(
                    Text(text=pays, size="note", tone="text2", align="right", shrink=True),
                    Text(text=f"{bidder.pays} {what}", bold=True, align="right", shrink=True),
                ),
                gap=2,
                grow=1,
            ),
        ),
        gap=6,
    )
    choices = playing_of(shown).view.choices
    speaks = any(c.seat == bidder.seat for c in choices)
    return Panel(
        child=Column(
            children=(
                Row(children=tuple(head), gap=8),
                # The figures stand at the lower edge, however high the card is.
                Space(grow=1),
                Row(children=tuple(middle), gap=6),
                Rule(),
                foot,
            ),
            gap=3,
        ),
        ground="sleeper" if acting else "ballast",
        acting=acting,
        pad=10,
        grow=1,
        id=f"seat:{bidder.seat}",
        intent=Set(parts.heard(shown, bidder.seat)) if speaks else None,
    )


# The bottom bar -----------------------------------------------------------------------------------


def _answers(shown: Shown, choice: Choice | None) -> tuple[Button, ...]:
    if choice is None or not (_bids(choice) or _lock(choice) is not None):
        return ()
    t, bids, lock = shown.words.t, _bids(choice), _lock(choice)
    auction = display_of(shown).auction
    own = _bidder(auction, choice.seat) if auction is not None else None
    out: list[Button] = []
    if lock is not None:
        out.append(
            Button(
                id="lock",
                text=t("Lock in at {n}", n=own.value if own is not None else 0),
                icon="lock",
                kind="plain" if bids else "paper",
                intent=parts.take(choice, lock),
                progress=held(shown, choice.seat),
            )
        )
    place = bids.index(choice.at) if choice.at in bids else -1
    lower, higher = bids[place - 1] if place > 0 else None, bids[place + 1 : place + 2]
    out.append(
        Button(
            id="minus",
            icon="minus",
            w=64,
            intent=parts.point(choice, lower) if lower is not None else None,
            reason=t("A lower bid is not allowed now.") if lower is None else "",
        )
    )
    out.append(
        Button(
            id="plus",
            icon="plus",
            w=64,
            intent=parts.point(choice, higher[0]) if higher else None,
            reason="" if higher else t("There is no higher space that is free and can be paid."),
        )
    )
    space = space_of(choice.options[bids[place]]) if place >= 0 else None
    bid = parts.take(choice, bids[place]) if place >= 0 else None
    out.append(
        Button(
            id="take",
            text=t("Bid {n}", n=space) if space is not None else t("Bid"),
            kind="paper" if bid is not None else "plain",
            w=150,
            intent=bid,
            reason=""
            if bid is not None
            else t("First choose a space of the track.")
            if bids
            else t("There is no higher space that is free and can be paid."),
        )
    )
    return tuple(out)


def held(shown: Shown, seat: str) -> float:
    """How much of a long press of a seat's OK button is over, 0 to 1."""
    for holding in playing_of(shown).view.holding:
        if holding.button == "ok" and holding.seat == seat and holding.down:
            whole = holding.until - holding.since
            return min(1.0, max(0.0, (shown.now - holding.since) / whole)) if whole > 0 else 1.0
    return 0.0
