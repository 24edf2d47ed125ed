"""Two markets to search: spec 4's hamsters, and a second one with reasons for rejection that no code has seen.

In each a first search for fifteen passages brings four that meet the conditions. Eight more stand behind them, which
are found by the next search, the one that leaves the dominant reasons out.
"""

HAMSTERS_WANTED = (
    "Which Syrian hamsters are for sale from a breeder? Name at least three Syrian hamsters. They must be live animals."
)
HAMSTERS = {
    "Happy Paws": "Syrian hamsters for sale from a breeder in Leeds. Live animals, eight weeks old, 35 pounds each.",
    "Pet Connect": "Golden Syrian hamsters for sale. Live animals, raised by a hobby breeder in York, 25 pounds.",
    "May litter": "A litter of Syrian hamsters is for sale from a breeder in Hull. Live animals, ready in May.",
    "Long hair": "Long-haired Syrian hamsters for sale from a registered breeder. Live animals, 40 pounds each.",
    "Educational worksheet": "Educational worksheet for sale: Syrian hamsters, a breeder and the classroom.",
    "Educational poster": "Poster for sale: how the Syrian hamsters of a breeder grow. For the classroom.",
    "Educational quiz": "Quiz for sale on Syrian hamsters and the work of a breeder. For every classroom.",
    "Educational article": "Article for sale: what a breeder of Syrian hamsters tells a classroom.",
    "Educational video": "Video for sale on Syrian hamsters, told by a breeder, with notes for the classroom.",
    "Cage with tubes": "Cage for Syrian hamsters for sale, as a breeder would choose it, with tubes and a wire top.",
    "Large cage": "Large cage for sale. Every breeder of Syrian hamsters likes its wire door.",
    "Travel cage": "Travel cage for sale: a breeder carries two Syrian hamsters in it. Wire on all sides.",
    "The care book": "Book for sale: how a breeder keeps Syrian hamsters, in paperback.",
    "A first book": "Illustrated book for sale, paperback: Syrian hamsters and their breeder, for children.",
    "The big book": "The complete book for sale on Syrian hamsters by a breeder, paperback, new edition.",
    "Spring pups": "Syrian pups of spring. Live animals from our own home, 30 pounds, collected by hand.",
    "Gerbils": "Mongolian gerbils from a shop in Bath, two to a box, 12 pounds. No hamsters there.",
    "Rats": "Fancy rats from a shop in Bath, tame and curious, 15 pounds. They chase hamsters.",
    "Mice": "Spiny mice from a shop in Bath, a dozen to a tank, 9 pounds. Smaller than hamsters.",
    "Wheels": "Running wheels in four colours for hamsters and other rodents, 11 pounds.",
    "Bedding": "Paper bedding for hamsters by the kilo, without dust, 6 pounds.",
    "Food": "Seed mix for hamsters with dried carrot, by the kilo, 4 pounds.",
    "Vets": "The list of vets who treat hamsters on weekends, with their telephone numbers.",
}

_REGATTAS = "Which dinghy regattas are open to beginners in June? Name at least three dinghy regattas."
REGATTAS_WANTED = f"{_REGATTAS} They must be tidal races."
REGATTAS = {
    "Tern Cup": "The Tern Cup is one of the dinghy regattas open to beginners in June. Tidal races off Whitby.",
    "Gannet Week": "Gannet Week: dinghy regattas open to beginners, in June. Tidal races, entry 20 pounds.",
    "Puffin Trophy": "Dinghy regattas open to beginners in June: the Puffin Trophy, tidal races for two crews.",
    "Skua Series": "The Skua Series has dinghy regattas open to beginners in June. Tidal races on four evenings.",
    "Knitwear one": "Knitwear for dinghy regattas, open at the neck, for beginners in June. Merino wool.",
    "Knitwear two": "Knitwear seen at dinghy regattas in June, with open cuffs, for beginners. Merino wool.",
    "Knitwear three": "June knitwear: what beginners wear to open dinghy regattas. Merino wool.",
    "Knitwear four": "Knitwear for beginners at open dinghy regattas in June, now in navy. Merino wool.",
    "Knitwear five": "The knitwear of dinghy regattas, open weave, for beginners, in June colours. Merino wool.",
    "Quiz night": "Quiz on dinghy regattas in June, open to beginners. Bring a pencil to the quiz.",
    "Harbour quiz": "The harbour quiz for beginners is open in June. Quiz topic: dinghy regattas, bring a pencil.",
    "Pub quiz": "A quiz on dinghy regattas, for beginners, doors open in June. Quiz sheets and a pencil are there.",
    "Raffle one": "Raffle in June for beginners at the open dinghy regattas. The raffle prize is a hamper.",
    "Raffle two": "Open raffle of the dinghy regattas in June, for beginners. Raffle prize: another hamper.",
    "Raffle three": "Beginners win the June raffle at open dinghy regattas. One raffle ticket, one hamper.",
    "Petrel Day": "The regattas of Petrel Day: tidal races in small boats, with a briefing for newcomers.",
    "Canoes": "Canoe hire by the weir, by the hour, away from the regattas. Helmets are lent.",
    "Kayaks": "Kayak hire by the weir, by the hour, not for regattas. Helmets are lent.",
    "Rafts": "Raft hire by the weir, by the hour, after the regattas. Helmets are lent.",
    "Parking": "Where visitors of the regattas park their cars, with a plan of the meadow.",
    "Ferries": "The ferry does not run while the regattas last, said the harbour office.",
    "Camping": "The meadow for tents fills early when there are regattas.",
    "Dogs": "Dogs stay on a lead near the regattas, says a sign.",
}


def pages(market: dict[str, str]) -> dict[str, str]:
    """A market as files."""
    return {f"{title.lower().replace(' ', '-')}.md": f"# {title}\n\n{text}\n" for title, text in market.items()}
