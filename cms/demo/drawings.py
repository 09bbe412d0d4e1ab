"""Pictures for the example content, drawn here: a hall, a beach, a court from above, logos."""

from io import BytesIO

from PIL import Image, ImageDraw, ImageFont

from core.media.canvas import LARGER, Canvas

WIDTH, HEIGHT = 1200, 800
FLOOR, COURT, LINE, WALL = "#c98d52", "#dd9f5f", "#fff7ea", "#33475b"
SKIN = ("#f6d7bd", "#8d5a3b", "#f3cba6", "#5c3a28", "#ffe0c7", "#6f4428")


def match(home: str, away: str, *, ball: tuple[int, int] = (610, 190)) -> bytes:
    """Two teams at the net, in their colours."""
    canvas = Canvas(WIDTH, HEIGHT, WALL)
    for seat in range(0, WIDTH, 60):
        for row in range(3):
            canvas.circle(("#4d657d", "#5d7690", "#415467")[row], seat + 30 * (row % 2), 70 + 55 * row, 16)
    canvas.polygon(FLOOR, (0, 330), (WIDTH, 330), (WIDTH, HEIGHT), (0, HEIGHT))
    canvas.polygon(COURT, (180, 400), (1020, 400), (1160, 740), (40, 740))
    for start, end in (((180, 400), (1020, 400)), ((40, 740), (1160, 740)), ((600, 400), (600, 740))):
        canvas.line(LINE, start, end, 7)
    for number, (x, y) in enumerate([(250, 460), (400, 560), (330, 680), (520, 440)]):
        _player(canvas, x, y, home, SKIN[number])
    for number, (x, y) in enumerate([(690, 440), (830, 560), (940, 470), (880, 690)]):
        _player(canvas, x, y, away, SKIN[number + 2])
    _net(canvas)
    _ball(canvas, *ball)
    return canvas.jpeg()


def beach() -> bytes:
    canvas = Canvas(WIDTH, HEIGHT, "#9bd0ee")
    canvas.circle("#ffe08a", 980, 150, 80)
    hills = ((0, 380), (300, 250), (620, 370), (900, 270), (WIDTH, 380), (WIDTH, 420), (0, 420))
    canvas.polygon("#5f9f6a", *hills)
    canvas.polygon("#eed7a1", (0, 410), (WIDTH, 410), (WIDTH, HEIGHT), (0, HEIGHT))
    canvas.line("#2f5d8a", (140, 480), (1060, 480), 10)
    canvas.line("#2f5d8a", (60, 740), (1140, 740), 10)
    for number, (x, y) in enumerate([(280, 600), (450, 700), (800, 560), (960, 690)]):
        _player(canvas, x, y, ("#e4572e", "#2a9d8f")[number // 2], SKIN[number])
    _net(canvas)
    _ball(canvas, 700, 200)
    return canvas.jpeg()


def court() -> bytes:
    """The court from above."""
    canvas = Canvas(WIDTH, HEIGHT, "#2f6f8f")
    canvas.polygon("#e08a4a", (150, 200), (1050, 200), (1050, 600), (150, 600))
    for x in (150, 450, 600, 750, 1050):
        canvas.line(LINE, (x, 200), (x, 600), 9)
    for y in (200, 600):
        canvas.line(LINE, (150, y), (1050, y), 9)
    _ball(canvas, 320, 420)
    return canvas.jpeg()


def logo(letters: str, ground: str, ink: str = "#ffffff") -> bytes:
    picture = Image.new("RGBA", (800, 400))
    draw = ImageDraw.Draw(picture)
    draw.rounded_rectangle((0, 0, 799, 399), 60, fill=ground)
    draw.text((400, 200), letters, fill=ink, font=ImageFont.load_default(size=200), anchor="mm")
    file = BytesIO()
    picture.save(file, "PNG")
    return file.getvalue()


# --- Shapes -------------------------------------------------------------------------------------------------


def _player(canvas: Canvas, x: int, y: int, shirt: str, skin: str) -> None:
    """Feet at (x, y), arms up."""
    for side in (-1, 1):
        canvas.line(skin, (x + side * 14, y), (x + side * 10, y - 50), 15)
        canvas.line(skin, (x + side * 24, y - 100), (x + side * 44, y - 165), 13)
    canvas.box(shirt, x - 28, y - 125, x + 28, y - 40, radius=18)
    canvas.circle(skin, x, y - 148, 22)


def _net(canvas: Canvas) -> None:
    canvas.line("#e9edf1", (600, 250), (600, 560), 12)
    for y in range(262, 400, 24):
        canvas.line("#aebac5", (560, y), (640, y), 3)
    for x in range(560, 641, 20):
        canvas.line("#aebac5", (x, 255), (x, 395), 3)
    canvas.line(LINE, (550, 252), (650, 252), 10)


def _ball(canvas: Canvas, x: int, y: int) -> None:
    canvas.circle("#f4d13d", x, y, 40)
    box = [(x - 40) * LARGER, (y - 40) * LARGER, (x + 40) * LARGER, (y + 40) * LARGER]
    canvas.draw.pieslice(box, 200, 290, fill="#2b62b3")
    canvas.draw.pieslice(box, 20, 110, fill="#2b62b3")
    canvas.circle("#ffffff", x, y, 12)
