"""The texts of the example content. All of it is made up."""

from core.content.status import ARCHIVED, DRAFT, PUBLISHED

ROLES = [
    ("1. Vorsitzende", True),
    ("2. Vorsitzender", True),
    ("Kassenwartin", True),
    ("Schriftführer", True),
    ("Jugendwartin", True),
    ("Pressewart", False),
    ("Schiedsrichterwart", False),
    ("Trainerin", False),
    ("Trainer", False),
    ("Co-Trainer", False),
    ("Zeugwart", False),
]

# Title, status, days from today, author, tags, text.
Entry = tuple[str, str, int, str, list[str], str]
NEWS: list[Entry] = [
    (
        "Herren 1 drehen das Derby in fünf Sätzen",
        PUBLISHED,
        -1,
        "Odile",
        ["Herren 1", "Derby"],
        """Nach zwei verlorenen Sätzen glaubten nur noch die Trommeln an die Wende. Dann kam die
Einwechslung
von Jonas Grünwald, und mit ihr eine Aufschlagserie von **neun Punkten**.

## Ein Tiebreak für die Vereinschronik

Beim Stand von 13:14 wehrte die Mannschaft zwei Matchbälle ab. Um 21:47 Uhr stand das 17:15 fest, und die
Mühlenhalle wurde so laut wie seit Jahren nicht.

> Wir haben einfach aufgehört, über den Spielstand nachzudenken.

Am Samstag wartet der Tabellenführer. Die Halle öffnet um 18 Uhr.""",
    ),
    (
        "Übungsleiter gesucht: Wer trainiert die Jüngsten?",
        PUBLISHED,
        -4,
        "Moritz",
        ["Jugend", "Mitmachen"],
        """Unsere Ballspielgruppe ist auf 31 Kinder gewachsen. Für den Dienstag suchen wir zwei Menschen,
die
Freude an Bewegung haben.

- dienstags von 16:30 bis 17:30 Uhr in der Mühlenhalle
- eine Lizenz ist nicht nötig, die Ausbildung zahlt der Verein
- eine kleine Aufwandsentschädigung gibt es auch

Wer Lust hat, kommt einfach vorbei oder schreibt an die Jugendwartin.""",
    ),
    (
        "Damen 2 grüßen von der Tabellenspitze",
        PUBLISHED,
        -8,
        "Odile",
        ["Damen 2"],
        """Sechs Spiele, sechs Siege: Nach dem **3:0** in Neuenberg steht die zweite Damenmannschaft
erstmals
seit dem Aufstieg ganz oben.

Überragend war die Annahme. Nur vier direkte Punkte gelangen den Gastgeberinnen im ganzen Spiel.""",
    ),
    (
        "So läuft die Jahreshauptversammlung",
        PUBLISHED,
        -12,
        "Amara",
        ["Verein"],
        """Die Einladung ist verschickt. Auf der Tagesordnung stehen die Berichte, die Entlastung des
Vorstands
und die Wahl der Kassenprüfung.

## Anträge

Anträge nimmt der Schriftführer bis zwei Wochen vorher entgegen. Stimmberechtigt ist, wer mindestens 16
Jahre
alt ist.

Für Getränke ist gesorgt.""",
    ),
    (
        "U16 wird Zweite beim Bezirkspokal",
        PUBLISHED,
        -17,
        "Odile",
        ["Jugend", "U16"],
        """Erst im Endspiel war Schluss. Unsere U16 verlor gegen Oberrieth mit 1:2 und durfte trotzdem
feiern:
Vor einem Jahr war in der Vorrunde Endstation gewesen.

Ein Dank geht an die Eltern, die zwei Tage lang gefahren sind und Kuchen verkauft haben.""",
    ),
    (
        "Neue Netze, neue Pfosten: Die Halle ist wieder offen",
        PUBLISHED,
        -23,
        "Moritz",
        ["Halle"],
        """Drei Wochen lang wurde geschraubt. Jetzt stehen drei vollständige Felder zur Verfügung, und das
mittlere hat endlich eine Anzeigetafel, die man auch von der Tribüne lesen kann.

Bitte **nur mit Hallenschuhen** betreten. Die Pfosten werden zu zweit getragen.""",
    ),
    (
        "Schiedsrichterlehrgang: Acht neue Pfeifen für den Verein",
        PUBLISHED,
        -31,
        "Moritz",
        ["Schiedsrichter"],
        """Acht Mitglieder haben die D-Lizenz bestanden. Damit stellen wir für jedes Heimspiel ein
vollständiges
Schiedsgericht.

- der nächste Lehrgang beginnt im Frühjahr
- Anmeldung beim Schiedsrichterwart
- die Kosten trägt der Verein""",
    ),
    (
        "Herren 2 verpassen die Überraschung knapp",
        PUBLISHED,
        -38,
        "Odile",
        ["Herren 2"],
        """Gegen den Favoriten aus Staufenburg fehlten am Ende zwei Punkte. 23:25 im vierten Satz, das
tut weh.

Trainer Matthias Köhnlein sah trotzdem das beste Spiel der Saison.""",
    ),
    (
        "Ein Nachmittag für alle: Das war unser Familientag",
        PUBLISHED,
        -45,
        "Amara",
        ["Verein", "Familie"],
        """Über 120 Gäste, zwei Hüpfburgen und ein Turnier, bei dem die Großeltern das Endspiel gewannen.

## Danke

Ohne die 24 Helferinnen und Helfer am Grill, an der Kasse und beim Aufbau ginge nichts. Der Erlös von
**612 Euro** geht an die Jugendabteilung.""",
    ),
    (
        "Beachfelder sind bespielbar",
        PUBLISHED,
        -60,
        "Moritz",
        ["Beach"],
        """Der Sand ist gesiebt, die Linien liegen. Reserviert wird wie immer an der Tafel neben dem
Schuppen.

Wer zuletzt geht, rollt die Netze ein.""",
    ),
    (
        "Saisonauftakt: Alle Heimspiele auf einen Blick",
        PUBLISHED,
        -74,
        "Amara",
        ["Termine"],
        """Elf Wochenenden, 27 Heimspiele. Los geht es mit einem Doppelspieltag von Damen 1 und Herren 1.

- Einlass eine Stunde vor Spielbeginn
- Kinder bis 14 Jahre zahlen nichts
- Kaffee und Kuchen verkauft die jeweils spielfreie Mannschaft""",
    ),
    (
        "Trainingslager in Schönau: Vier Tage, neun Einheiten",
        PUBLISHED,
        -88,
        "Odile",
        ["Damen 1"],
        """Muskelkater hatten alle, gelaunt waren trotzdem fast alle. Neben Technik und Kondition stand
das neue
Aufschlagsystem auf dem Plan.

> Am dritten Tag konnten wir kaum noch die Treppe hinunter, aber die Annahme saß.""",
    ),
    (
        "Wir trauern um unser Ehrenmitglied",
        PUBLISHED,
        -97,
        "Amara",
        ["Verein"],
        """Mehr als vierzig Jahre lang hat er die Kasse geführt, Netze geflickt und Neulinge begrüßt. Seine
ruhige Art wird uns fehlen.

Unser Mitgefühl gilt der Familie.""",
    ),
    (
        "Sportabzeichen: 47 haben es geschafft",
        PUBLISHED,
        -110,
        "Moritz",
        ["Verein"],
        """So viele wie nie zuvor: 47 Mitglieder zwischen 7 und 78 Jahren haben das Abzeichen abgelegt,
davon 29
in Gold.""",
    ),
    (
        "Aufstieg! Damen 1 spielen künftig in der Oberliga",
        PUBLISHED,
        -128,
        "Odile",
        ["Damen 1", "Aufstieg"],
        """Um 19:12 Uhr war es amtlich. Mit dem 3:1 gegen Weilbach hat sich unsere erste Damenmannschaft den
**Aufstieg in die Oberliga** gesichert.

## Was sich ändert

Die Fahrten werden länger, die Bälle kommen härter. Die Mannschaft bleibt zusammen und sucht noch eine
Mittelblockerin.

> Jetzt gehen wir erst einmal eine Woche lang nicht in die Halle.""",
    ),
    (
        "Mitgliedsbeiträge: Was sich ändert und warum",
        PUBLISHED,
        -143,
        "Amara",
        ["Verein"],
        """Die Hallenmiete ist um ein Fünftel gestiegen. Die Versammlung hat deshalb beschlossen, den
Beitrag für
Erwachsene um zwei Euro im Monat zu erhöhen. Für Kinder und Jugendliche bleibt alles, wie es ist.""",
    ),
    (
        "Miniturnier mit 14 Mannschaften",
        ARCHIVED,
        -151,
        "Odile",
        ["Jugend"],
        """14 Mannschaften, 42 Spiele und nur eine Schürfwunde. Gewonnen hat am Ende der Gastgeber.""",
    ),
    (
        "Der Vereinsbus hat einen neuen Motor",
        PUBLISHED,
        -166,
        "Moritz",
        ["Bus"],
        """Nach 240.000 Kilometern war Schluss. Dank einer Spende läuft er wieder. Gebucht wird ab sofort
wie
gewohnt im Kalender.""",
    ),
    (
        "Winterpause: Diese Gruppen trainieren weiter",
        ARCHIVED,
        -180,
        "Amara",
        ["Training"],
        """In den Ferien ist die Mühlenhalle geschlossen. Die Freizeitgruppe und die U18 weichen in die
Schulturnhalle aus.

- U18: montags 18 bis 20 Uhr
- Freizeit: donnerstags ab 20 Uhr""",
    ),
    (
        "Weihnachtsfeier mit Schleifchenturnier",
        ARCHIVED,
        -200,
        "Odile",
        ["Verein", "Fest"],
        """Gelost, gespielt, gelacht. Die meisten Schleifchen sammelte diesmal unsere Kassenwartin.""",
    ),
    (
        "Fünf Fragen an unsere neue Jugendwartin",
        PUBLISHED,
        -214,
        "Amara",
        ["Jugend", "Menschen"],
        """## Was hast du dir vorgenommen?

Mehr Mädchen in der U14 und ein Zeltlager, das nicht im Regen steht.

## Was kannst du gar nicht?

Aufschlag von unten.

## Was wünschst du dir von den Eltern?

Dass sie auch einmal mitspielen.""",
    ),
    (
        "Kooperation mit der Grundschule am Mühlbach",
        PUBLISHED,
        -233,
        "Moritz",
        ["Jugend", "Schule"],
        """Ab dem neuen Schuljahr gibt es freitags eine Ball-AG für die dritten und vierten Klassen. 18
Kinder
haben sich schon angemeldet.""",
    ),
    (
        "Frühjahrsputz: Gemeinsam wird es sauber",
        PUBLISHED,
        14,
        "Moritz",
        ["Verein", "Mitmachen"],
        """Wir treffen uns um 9 Uhr am Vereinsheim. Handschuhe bringt bitte jeder selbst mit, für ein
Mittagessen ist gesorgt.

- Beachfelder jäten
- Geräteraum ausräumen
- Zaun streichen""",
    ),
    (
        "Heimspieltag mit Tombola",
        PUBLISHED,
        6,
        "Odile",
        ["Damen 1", "Herren 1"],
        """Zwei Spiele, eine Tombola: Der Hauptpreis ist ein Rundflug über das Markgräflerland. Lose gibt
es ab
17 Uhr am Eingang.""",
    ),
    (
        "Ausschreibung für das Schlossparkturnier",
        PUBLISHED,
        40,
        "Amara",
        ["Turnier"],
        """24 Plätze, gespielt wird auf Rasen und in gemischten Mannschaften. Die Anmeldung öffnet mit
diesem
Beitrag.""",
    ),
    (
        "Spielbericht Herren 1 gegen Kandertal",
        DRAFT,
        -2,
        "Odile",
        ["Herren 1"],
        """Erster Satz 25:19, dann riss der Faden.

(Hier fehlen noch die Stimmen zum Spiel.)""",
    ),
    (
        "Interview: Zwanzig Jahre am Anschreibetisch",
        DRAFT,
        -6,
        "Odile",
        ["Menschen"],
        """Sie hat mehr Spiele gesehen als jeder andere im Verein. Wir haben sie gefragt, was sich
verändert hat.""",
    ),
    (
        "Hallenbelegung in den Osterferien",
        DRAFT,
        -3,
        "Moritz",
        ["Training", "Halle"],
        """Die Stadt hat die Zeiten noch nicht bestätigt. Sobald sie feststehen, kommt hier die Tabelle
hin.""",
    ),
    (
        "Ideen für das 75-jährige Jubiläum",
        DRAFT,
        -20,
        "Amara",
        ["Verein", "Jubiläum"],
        """- Ausstellung mit alten Trikots
- Spiel der Aufstiegsmannschaften von 1988 und heute
- ein Abend mit Musik""",
    ),
    (
        "Größere Trikots für größere Spieler",
        DRAFT,
        -1,
        "Odile",
        [],
        """Die Bestellliste hängt in der Halle. Bitte bis Freitag eintragen.""",
    ),
]
