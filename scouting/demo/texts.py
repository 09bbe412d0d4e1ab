"""The invented teams of the demo, and what scouts wrote about their robots."""

from scouting.events.event import Team

# Numbers that no registered team has.
TEAMS = (
    Team("9971", "Uferroboter", "Konstanz"),
    Team("9974", "Zahnkranz", "Ulm"),
    Team("9978", "Blechlawine", "Kempten"),
    Team("9982", "Nordlicht Robotik", "Flensburg"),
    Team("9982B", "Nordlicht Robotik B", "Flensburg"),
    Team("9985", "Kettenreaktion", "Freiburg"),
    Team("9989", "Die Lötkolben", "Mannheim"),
    Team("9994", "Schraubenschlüssel 94", "Karlsruhe"),
    Team("12107", "Turbo Möwen", "Kiel"),
    Team("12340", "Drehmoment", "Stuttgart"),
    Team("12518", "Quantensprung", "Tübingen"),
    Team("12733", "Funkenflug", "Aachen"),
    Team("13021", "Mechanikum", "Jena"),
    Team("13377", "Null Toleranz", "Dresden"),
    Team("13590", "Bergwerk", "Freiberg"),
    Team("14012", "Hafenkran", "Hamburg"),
    Team("14286", "Fledermaus", "Graz"),
    Team("14650", "Alpenglühen", "Innsbruck"),
    Team("15003", "Rheinknie Robotics", "Basel"),
    Team("15248", "Schaltkreis", "Zürich"),
    Team("15871", "Moselbots", "Trier"),
    Team("16105", "Kompass", "Bremen"),
    Team("16444", "Gegenwind", "Rostock"),
    Team("17019", "Zweitakt", "Zwickau"),
)
# They were not there a year ago.
NEW = ("9978", "9982B", "12518", "14286", "15871", "17019")

CRITICALS = {
    "Robot Died": "Nach etwa vierzig Sekunden ging nichts mehr, Lampe aus.",
    "Robot Tipped": "Beim Ausweichen umgekippt und liegen geblieben.",
    "Mechanism Broke": "Die Aufnahme hängt seit einem Zusammenstoß schief.",
    "Bumper Malfunction": "Der linke Bumper hat sich gelöst.",
    "Stuck On Fuel": "Saß lange auf Bällen fest, kam erst mit Hilfe frei.",
}
PRAISE = (
    "Sehr ruhiger Fahrer, kaum ein Weg umsonst.",
    "Trifft auch unter Druck.",
    "Schnellster Zyklus im Feld.",
    "Spricht sich gut mit der Allianz ab.",
)
REMARKS = (
    "Fährt sicher, nimmt sich aber viel Zeit zum Zielen.",
    "Wirkt stabiler als am ersten Tag.",
    "Braucht freie Bahn, sonst verliert er Zeit.",
    "Autonom jedes Mal anders.",
)
WORRIES = (
    "Stand die halbe Zeit im Weg der eigenen Allianz.",
    "Aufnahme klemmt immer wieder.",
    "Hat kaum getroffen.",
    "Wenig Übung, aber freundlich und lernfähig.",
)
STRATEGIES = (
    "Hat gesammelt und aus der Mitte geworfen.",
    "Blieb auf der eigenen Seite und hat zugespielt.",
    "Erst Punkte, in der letzten Minute Verteidigung.",
)

# Said at any time: team, after which match, by whom, what.
COMMENTS = (
    ("9985", 4, "Sina", "Haben einen Ersatzantrieb dabei und tauschen in zehn Minuten."),
    ("12340", 6, "Noor", "Unser liebster Partner: fragt vor jedem Match, was wir brauchen."),
    ("17019", 8, "Tomasz", "Funkprobleme, laut Team ein loser Stecker. Nachfragen!"),
    ("9982B", 9, "Elif", "Kamen zu spät zur Aufstellung, der Roboter war noch in der Inspektion."),
    ("13377", 12, "Sina", "Wechseln den Fahrer nach der Mittagspause."),
    ("15248", 17, "Leandro", "Klettern haben sie über Nacht neu gebaut, bisher zweimal von zwei."),
    ("9985", 20, "Ronja", "Der Ersatzantrieb ist jetzt drin, läuft ruhiger."),
    ("14650", 22, "Jonte", "Akku war beim letzten Match nicht festgeschnallt."),
    ("12340", 25, "Sina", "Würden gern mit uns spielen, falls sie Kapitän werden."),
    ("16444", 27, "Leandro", "Verteidigen hart, aber sauber: keine Strafe in sieben Matches."),
)
EARLIER_COMMENTS = (
    ("9985", 5, "Leandro", "Klettern gelingt nur, wenn sie früh genug losfahren."),
    ("12340", 9, "Sina", "Schon letztes Jahr sehr angenehm in der Absprache."),
    ("14012", 14, "Noor", "Getriebe nach dem Match ausgebaut."),
)

# Nobody has been in the pit of these yet.
UNVISITED = ("9978", "12518", "14286", "16105", "17019")
CANNOT = ("Klettern.", "Vom Boden aufnehmen, während wir werfen.", "Über die Schwelle fahren.", "")
AUTONOMOUS = ("Vorladung werfen und die Mitte räumen.", "Zwei Runden an der Bande.", "Nur losfahren.")
STRONGEST = (
    "Schnelles Aufnehmen.",
    "Zuverlässigkeit.",
    "Werfen aus der Bewegung.",
    "Verteidigung.",
)
WEAKEST = ("Der Akku hält knapp.", "Zielen aus der Ferne.", "Wenig Fahrpraxis.", "Hoher Schwerpunkt.")
CONTACTS = ("Frau Kessler, am Stand", "Herr Amiri, Werkbank links", "Mentorin Ilse, gelbe Weste")
