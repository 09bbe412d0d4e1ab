"""The texts of the example quests."""

from collections.abc import Sequence
from typing import NamedTuple

# A verb, who does it, what they write, and a steward's decision.
Step = Sequence[str]


class ExampleQuest(NamedTuple):
    title: str
    by: str
    description: str
    category: str = "general"
    xp: int = 100
    reputation: int = 10
    # In days: how long ago it was offered, and when it ends.
    age: int = 3
    ends_in: int = 27
    # So many days before the end of last month it was confirmed; None is today.
    last_month: int | None = None
    steps: Sequence[Step] = ()


QUESTS: Sequence[ExampleQuest] = (
    # --- Open -----------------------------------------------------------------------------------------------
    ExampleQuest(
        "Netz in der Mühlenhalle flicken",
        "Odile",
        "Das linke Netz hat drei Löcher, eines davon so groß wie ein Ball. Garn und Nadel liegen im Schrank "
        "neben der Bühne. Dauert etwa eine Stunde, am besten vor dem Training am Dienstag.",
        category="technical",
        xp=120,
    ),
    ExampleQuest(
        "Kuchen für den Heimspieltag der Damen 1",
        "Maya",
        "Wir brauchen noch vier Bleche. Bitte ohne Sahne, die Kühlung in der Halle ist kaputt. "
        "Abgeben ab 13 Uhr an der Theke, die Bleche kommen abends gespült zurück.",
        category="social",
        xp=60,
        reputation=5,
        age=1,
        ends_in=5,
    ),
    ExampleQuest(
        "Fahrdienst zum Auswärtsspiel der U16",
        "Milan",
        "Sonntag, 8:15 Uhr ab Mühlenhalle, fünf Kinder, Rückkehr gegen 14 Uhr. Der Bus ist gebucht, "
        "es fehlt nur, wer ihn fährt. Sitzerhöhungen sind im Bus.",
        category="social",
        xp=200,
        reputation=20,
        age=2,
        ends_in=2,
    ),
    ExampleQuest(
        "Anzeigetafel: Anleitung für Neue schreiben",
        "Sina",
        "Jedes Mal, wenn jemand Neues an der Tafel sitzt, ruft uns die halbe Liga an. Bitte eine Seite mit "
        "Bildern: einschalten, Satz beginnen, Auszeit, Fehler zurücknehmen.",
        category="educational",
        xp=150,
        reputation=15,
        age=9,
    ),
    ExampleQuest(
        "Beachfeld nach dem Sturm freiräumen",
        "Moritz",
        "Der Sturm hat Äste und Laub auf beide Felder geworfen. Rechen und Schubkarre stehen im Geräteraum, "
        "der Schlüssel hängt beim Hausmeister. Zu zweit ist es in zwei Stunden getan.",
        category="environmental",
        xp=180,
        reputation=15,
        age=4,
        ends_in=20,
    ),
    ExampleQuest(
        "Schreibdienst beim Pokalspiel übernehmen",
        "Leandro",
        "Samstag um 18 Uhr, Bogen und Tafel. Wer es noch nie gemacht hat, bekommt vorher eine halbe Stunde "
        "Einweisung. Getränke gehen auf den Verein.",
        category="civic",
        xp=80,
        age=6,
    ),
    ExampleQuest(
        "Alte Trikots sortieren und zählen",
        "Amara",
        "Im Keller stehen sieben Kisten mit Trikots aus zwanzig Jahren. Bitte nach Größe sortieren, zählen "
        "und sagen, was wir spenden können. Die Liste darf auf Papier sein.",
        age=12,
        ends_in=40,
    ),
    # --- Taken on -------------------------------------------------------------------------------------------
    ExampleQuest(
        "Sponsorentafel neu bekleben",
        "Odile",
        "Drei Logos sind neu, eines fällt weg. Die Folien liegen im Büro. Bitte vor dem ersten Heimspiel, "
        "damit niemand enttäuscht vor der Tafel steht.",
        category="technical",
        xp=140,
        age=8,
        steps=[("claim", "Milan")],
    ),
    ExampleQuest(
        "Flyer in den Grundschulen verteilen",
        "Moritz",
        "Zweihundert Flyer für das Schnuppertraining, drei Schulen, bitte im Sekretariat abgeben und nach "
        "einem Platz am Schwarzen Brett fragen.",
        category="educational",
        xp=90,
        age=16,
        # Held for long without a result: the stewards see it among the stale claims.
        steps=[("claim", "Leandro"), ("wait",)],
    ),
    ExampleQuest(
        "Fotos vom Sommerfest aussuchen",
        "Maya",
        "Wir haben 430 Bilder und brauchen zwanzig für die Webseite. Bitte keine, auf denen Kinder allein zu "
        "erkennen sind, außer wir haben die Einwilligung (Liste im Büro).",
        category="civic",
        xp=110,
        age=10,
        steps=[
            ("claim", "Sina"),
            ("submit", "Sina", "Zwanzig Bilder liegen im Ordner „Auswahl“, sortiert nach Programmpunkt."),
            (
                "request_changes",
                "Maya",
                "Auf Bild 7 und 12 fehlt die Einwilligung. Bitte zwei andere nehmen.",
            ),
        ],
    ),
    # --- Waits for both sides -------------------------------------------------------------------------------
    ExampleQuest(
        "Ballwagen reparieren",
        "Moritz",
        "Am blauen Ballwagen ist eine Rolle ab und der Deckel klemmt. Ersatzrollen liegen schon in der "
        "Werkstatt, es braucht nur jemanden mit Geduld.",
        category="technical",
        xp=130,
        age=7,
        steps=[
            ("claim", "Maya"),
            ("submit", "Maya", "Rolle getauscht, Scharnier geölt. Der Deckel schließt wieder von selbst."),
        ],
    ),
    ExampleQuest(
        "Erste-Hilfe-Koffer prüfen und auffüllen",
        "Amara",
        "Vier Koffer, je einer in beiden Hallen, im Bus und am Beachfeld. Ablaufdaten prüfen, Fehlendes in "
        "der Apotheke holen, Quittung an den Vorstand.",
        category="civic",
        xp=160,
        reputation=20,
        age=11,
        steps=[
            ("claim", "Odile"),
            (
                "submit",
                "Odile",
                "Alle vier geprüft. Es fehlten Kühlkissen und eine Rettungsdecke, Quittung liegt vor.",
            ),
            ("attest", "Amara", "Sehr gründlich, danke!"),
        ],
    ),
    ExampleQuest(
        "Getränkelager aufräumen",
        "Milan",
        "Leergut zurückbringen, Kisten nach Datum ordnen, Liste für die nächste Bestellung schreiben. "
        "Handschuhe nicht vergessen.",
        xp=70,
        reputation=5,
        age=5,
        steps=[
            ("claim", "Moritz"),
            (
                "submit",
                "Moritz",
                "Leergut ist weg (43 Euro in der Kasse), die Bestellliste hängt an der Tür.",
            ),
            ("attest", "Moritz", "Die Liste bitte vor Freitag abschicken."),
        ],
    ),
    # --- Completed ------------------------------------------------------------------------------------------
    ExampleQuest(
        "Schiedsrichterkleidung waschen",
        "Leandro",
        "Acht Hemden und vier Hosen, vierzig Grad, bitte nicht in den Trockner. Bis Freitag zurück in den "
        "Schrank hinter der Bühne.",
        xp=50,
        reputation=5,
        age=45,
        last_month=3,
        steps=[
            ("claim", "Maya"),
            ("submit", "Maya", "Gewaschen, gebügelt und nach Größe im Schrank."),
            ("attest", "Leandro", "Riecht wie neu."),
            ("attest", "Maya"),
        ],
    ),
    ExampleQuest(
        "Hallenboden für das Turnier abkleben",
        "Odile",
        "Zwei zusätzliche Felder nach dem Plan im Büro. Bitte nur das grüne Klebeband, das andere "
        "hinterlässt Spuren und der Hausmeister vergisst nichts.",
        category="technical",
        xp=220,
        reputation=20,
        age=25,
        steps=[
            ("claim", "Milan"),
            ("submit", "Milan", "Beide Felder liegen, nachgemessen mit dem Laser. Reste sind im Müll."),
            ("attest", "Milan"),
            ("attest", "Odile", "Auf den Zentimeter genau."),
        ],
    ),
    ExampleQuest(
        "Nachhilfe für zwei aus der U18",
        "Moritz",
        "Zwei aus der U18 wollen vor der Prüfung noch einmal Bruchrechnen üben. Drei Nachmittage, im "
        "Vereinsheim, Kekse stellen wir.",
        category="educational",
        xp=300,
        reputation=30,
        age=52,
        last_month=6,
        steps=[
            ("claim", "Sina"),
            ("submit", "Sina", "Dreimal zwei Stunden. Beide haben bestanden, einer sogar mit einer Zwei."),
            ("attest", "Moritz", "Großartig, genau dafür gibt es das Brett."),
            ("attest", "Sina"),
        ],
    ),
    ExampleQuest(
        "Müll am Bachufer sammeln",
        "Sina",
        "Zwischen Mühlenhalle und Brücke, zwei Stunden am Samstag. Zangen und Säcke bringt die Stadt, die "
        "Säcke bleiben an der Brücke stehen.",
        category="environmental",
        xp=150,
        reputation=15,
        age=40,
        last_month=1,
        steps=[
            ("claim", "Milan"),
            ("submit", "Milan", "Elf Säcke, ein Fahrrad und ein sehr alter Ball. Fotos hat die Stadt."),
            ("attest", "Sina"),
            ("attest", "Milan"),
        ],
    ),
    ExampleQuest(
        "Neue Mitglieder durch die Halle führen",
        "Amara",
        "Sonntag von 10 bis 12 Uhr kommen neun Familien. Bitte zeigen, wo was ist, und die Fragen "
        "beantworten, die wir immer vergessen.",
        category="civic",
        xp=100,
        age=14,
        steps=[
            ("claim", "Odile"),
            (
                "submit",
                "Odile",
                "Neun Familien, sieben Anmeldungen. Die Frage nach dem Parkplatz kam neunmal.",
            ),
            ("attest", "Amara"),
            ("attest", "Odile"),
        ],
    ),
    # Their rewards could not be booked: these two have no account any more.
    ExampleQuest(
        "Vereinschronik einscannen",
        "Amara",
        "Die Jahre 1974 bis 1989, etwa 160 Seiten. Der Scanner steht im Büro. Bitte mit 300 Punkten und als "
        "eine Datei für jedes Jahr.",
        category="educational",
        xp=240,
        reputation=20,
        age=33,
        steps=[
            ("claim", "Jonas"),
            (
                "submit",
                "Jonas",
                "Sechzehn Dateien liegen im Archiv. 1981 fehlen zwei Seiten, die hatte ein Hund.",
            ),
            ("attest", "Jonas"),
            ("attest", "Amara", "Ein Schatz. Danke, Jonas!"),
        ],
    ),
    ExampleQuest(
        "Tombola-Preise einwerben",
        "Maya",
        "Fünf Geschäfte in der Altstadt fragen, ob sie etwas für die Tombola geben. Ein Brief mit dem "
        "Stempel des Vereins liegt im Büro.",
        category="social",
        xp=120,
        age=40,
        steps=[
            ("claim", "Pia"),
            ("submit", "Pia", "Vier von fünf haben zugesagt, der Buchladen sogar zweimal."),
            ("attest", "Maya"),
            ("attest", "Pia"),
        ],
    ),
    # --- Disputed, and what came of it ----------------------------------------------------------------------
    ExampleQuest(
        "Zaun am Beachfeld streichen",
        "Moritz",
        "Die Seite zur Straße, etwa zwanzig Meter, Farbe und Pinsel sind da. Bitte erst abschleifen, sonst "
        "blättert es im nächsten Winter wieder.",
        category="environmental",
        xp=260,
        reputation=20,
        age=15,
        steps=[
            ("claim", "Leandro"),
            (
                "submit",
                "Leandro",
                "Zwanzig Meter gestrichen, zweimal. Der Rest der Farbe steht im Geräteraum.",
            ),
            (
                "dispute",
                "Moritz",
                "Es wurde nicht abgeschliffen, die alte Farbe löst sich schon jetzt an drei Stellen.",
            ),
        ],
    ),
    ExampleQuest(
        "Lautsprecheranlage in der Halle testen",
        "Leandro",
        "Beim letzten Spiel war die Ansage auf der Tribüne nicht zu verstehen. Bitte alle Kabel und das "
        "Funkmikrofon prüfen und aufschreiben, was ersetzt werden muss.",
        category="technical",
        xp=110,
        age=13,
        steps=[
            ("claim", "Milan"),
            (
                "submit",
                "Milan",
                "Kabel 3 hat einen Wackelkontakt, das Mikrofon braucht neue Akkus. Liste hängt aus.",
            ),
            ("dispute", "Milan", "Seit zehn Tagen bestätigt niemand, obwohl die Liste längst benutzt wurde."),
        ],
    ),
    ExampleQuest(
        "Pokale polieren und neu aufstellen",
        "Odile",
        "Vitrine im Vereinsheim, etwa dreißig Pokale. Bitte nach Jahren ordnen, Schilder lesbar drehen.",
        xp=80,
        age=22,
        steps=[
            ("claim", "Sina"),
            ("submit", "Sina", "Alle Pokale glänzen und stehen nach Jahren, zwei Schilder habe ich geklebt."),
            (
                "dispute",
                "Odile",
                "Die Pokale der Jugend stehen ganz unten hinter der Tür, das war so nicht gedacht.",
            ),
            ("decide", "Stellan", "Über den Platz stand nichts im Text, die Arbeit ist getan.", "complete"),
        ],
    ),
    ExampleQuest(
        "Vereinsheim am Sonntag aufschließen",
        "Milan",
        "Um 9 Uhr aufschließen, um 13 Uhr abschließen, dazwischen darf man frühstücken. Der Schlüssel liegt "
        "beim Hausmeister.",
        category="civic",
        xp=40,
        reputation=5,
        age=19,
        steps=[
            ("claim", "Moritz"),
            ("submit", "Moritz", "Aufgeschlossen um kurz nach neun, abgeschlossen um eins."),
            ("dispute", "Milan", "Die Gäste standen bis halb zehn vor der Tür, wir haben es selbst gesehen."),
            ("decide", "Stellan", "Beide haben recht; wir lassen es ohne Belohnung gut sein.", "cancel"),
        ],
    ),
    ExampleQuest(
        "Social-Media-Woche übernehmen",
        "Amara",
        "Eine Woche lang jeden Tag ein Beitrag über den Verein: Training, Gesichter, ein Rezept von der "
        "Theke. Die Zugangsdaten gibt es im Büro.",
        category="social",
        xp=170,
        reputation=15,
        age=17,
        steps=[
            ("claim", "Leandro"),
            ("submit", "Leandro", "Sechs Beiträge sind online, am Mittwoch war ich krank."),
            (
                "dispute",
                "Amara",
                "Es waren vier Beiträge, zwei davon nur geteilt. Das war anders besprochen.",
            ),
            (
                "decide",
                "Stellan",
                "Wir öffnen es noch einmal, jemand anderes macht die Woche voll.",
                "reopen",
            ),
        ],
    ),
    # --- Expired --------------------------------------------------------------------------------------------
    ExampleQuest(
        "Glühweinstand beim Adventsmarkt besetzen",
        "Sina",
        "Samstag von 15 bis 18 Uhr. Der Stand ist aufgebaut, Glühwein und Punsch sind gekocht. Es fehlt nur "
        "noch jemand, der ausschenkt und lächelt.",
        category="social",
        xp=140,
        reputation=15,
        age=45,
        ends_in=-1,
        steps=[("expire",)],
    ),
)
