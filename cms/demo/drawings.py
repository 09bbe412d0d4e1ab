"""Pictures for the example content, drawn here: a hall, a beach, a court from above, logos."""

from io import BytesIO

from PIL import Image, ImageDraw, ImageFont

WIDTH, HEIGHT = 1200, 800
# Drawn larger and scaled down for smooth edges.
LARGER = 2
FLOOR, COURT, LINE, WALL = "#c98d52", "#dd9f5f", "#fff7ea", "#33475b"
SKIN = ("#f6d7bd", "#8d5a3b", "#f3cba6", "#5c3a28", "#ffe0c7", "#6f4428")
Draw = ImageDraw.ImageDraw


def match(home: str, away: str, *, ball: tuple[int, int] = (610, 190)) -> bytes:
    """Two teams at the net, in their colours."""
    picture, draw = _canvas(WALL)
    for seat in range(0, WIDTH, 60):
        for row in range(3):
            _circle(draw, seat + 30 * (row % 2), 70 + 55 * row, 16, ("#4d657d", "#5d7690", "#415467")[row])
    _polygon(draw, FLOOR, (0, 330), (WIDTH, 330), (WIDTH, HEIGHT), (0, HEIGHT))
    _polygon(draw, COURT, (180, 400), (1020, 400), (1160, 740), (40, 740))
    for start, end in (((180, 400), (1020, 400)), ((40, 740), (1160, 740)), ((600, 400), (600, 740))):
        _line(draw, LINE, start, end, 7)
    for number, (x, y) in enumerate([(250, 460), (400, 560), (330, 680), (520, 440)]):
        _player(draw, x, y, home, SKIN[number])
    for number, (x, y) in enumerate([(690, 440), (830, 560), (940, 470), (880, 690)]):
        _player(draw, x, y, away, SKIN[number + 2])
    _net(draw)
    _ball(draw, *ball)
    return _jpeg(picture)


def beach() -> bytes:
    picture, draw = _canvas("#9bd0ee")
    _circle(draw, 980, 150, 80, "#ffe08a")
    hills = ((0, 380), (300, 250), (620, 370), (900, 270), (WIDTH, 380), (WIDTH, 420), (0, 420))
    _polygon(draw, "#5f9f6a", *hills)
    _polygon(draw, "#eed7a1", (0, 410), (WIDTH, 410), (WIDTH, HEIGHT), (0, HEIGHT))
    _line(draw, "#2f5d8a", (140, 480), (1060, 480), 10)
    _line(draw, "#2f5d8a", (60, 740), (1140, 740), 10)
    for number, (x, y) in enumerate([(280, 600), (450, 700), (800, 560), (960, 690)]):
        _player(draw, x, y, ("#e4572e", "#2a9d8f")[number // 2], SKIN[number])
    _net(draw)
    _ball(draw, 700, 200)
    return _jpeg(picture)


def court() -> bytes:
    """The court from above."""
    picture, draw = _canvas("#2f6f8f")
    _polygon(draw, "#e08a4a", (150, 200), (1050, 200), (1050, 600), (150, 600))
    for x in (150, 450, 600, 750, 1050):
        _line(draw, LINE, (x, 200), (x, 600), 9)
    for y in (200, 600):
        _line(draw, LINE, (150, y), (1050, y), 9)
    _ball(draw, 320, 420)
    return _jpeg(picture)


def logo(letters: str, ground: str, ink: str = "#ffffff") -> bytes:
    picture = Image.new("RGBA", (800, 400))
    draw = ImageDraw.Draw(picture)
    draw.rounded_rectangle((0, 0, 799, 399), 60, fill=ground)
    draw.text((400, 200), letters, fill=ink, font=ImageFont.load_default(size=200), anchor="mm")
    file = BytesIO()
    picture.save(file, "PNG")
    return file.getvalue()


# --- Shapes -------------------------------------------------------------------------------------------------


def _canvas(ground: str) -> tuple[Image.Image, Draw]:
    picture = Image.new("RGB", (WIDTH * LARGER, HEIGHT * LARGER), ground)
    return picture, ImageDraw.Draw(picture)


def _jpeg(picture: Image.Image) -> bytes:
    file = BytesIO()
    picture.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS).save(file, "JPEG", quality=85)
    return file.getvalue()


def _polygon(draw: Draw, colour: str, *corners: tuple[int, int]) -> None:
    draw.polygon([(x * LARGER, y * LARGER) for x, y in corners], fill=colour)


def _line(draw: Draw, colour: str, start: tuple[int, int], end: tuple[int, int], width: int) -> None:
    ends = [(x * LARGER, y * LARGER) for x, y in (start, end)]
    draw.line(ends, fill=colour, width=width * LARGER)


def _circle(draw: Draw, x: int, y: int, radius: int, colour: str) -> None:
    draw.circle((x * LARGER, y * LARGER), radius * LARGER, fill=colour)


def _player(draw: Draw, x: int, y: int, shirt: str, skin: str) -> None:
    """Feet at (x, y), arms up."""
    for side in (-1, 1):
        _line(draw, skin, (x + side * 14, y), (x + side * 10, y - 50), 15)
        _line(draw, skin, (x + side * 24, y - 100), (x + side * 44, y - 165), 13)
    box = (x - 28, y - 125, x + 28, y - 40)
    draw.rounded_rectangle([edge * LARGER for edge in box], 18 * LARGER, fill=shirt)
    _circle(draw, x, y - 148, 22, skin)


def _net(draw: Draw) -> None:
    _line(draw, "#e9edf1", (600, 250), (600, 560), 12)
    for y in range(262, 400, 24):
        _line(draw, "#aebac5", (560, y), (640, y), 3)
    for x in range(560, 641, 20):
        _line(draw, "#aebac5", (x, 255), (x, 395), 3)
    _line(draw, LINE, (550, 252), (650, 252), 10)


def _ball(draw: Draw, x: int, y: int) -> None:
    _circle(draw, x, y, 40, "#f4d13d")
    box = [(x - 40) * LARGER, (y - 40) * LARGER, (x + 40) * LARGER, (y + 40) * LARGER]
    draw.pieslice(box, 200, 290, fill="#2b62b3")
    draw.pieslice(box, 20, 110, fill="#2b62b3")
    _circle(draw, x, y, 12, "#ffffff")
