"""Draws robots as photos for the pit forms of the demo."""

from io import BytesIO
from random import Random

from PIL import Image, ImageDraw, ImageFont

WIDTH, HEIGHT = 1200, 900
# Drawn at a larger scale and reduced, for anti-aliasing.
LARGER = 2
FLOOR, WALL, TABLE = "#b9b4a8", "#dfe6ea", "#8a6b4c"
METAL, DARK, FUEL = "#a7b2bb", "#2c3238", "#f2c230"
BUMPERS = ("#b3261e", "#1b55b5")
COLOURS = ("#2f8f6b", "#8a4fb0", "#d2762a", "#2a7fa5", "#b5446e", "#6b7d2c")
Draw = ImageDraw.ImageDraw


def robot(team: str) -> bytes:
    """The picture of a team's robot; always the same for the same team."""
    chance = Random(f"robot/{team}")
    picture = Image.new("RGB", (WIDTH * LARGER, HEIGHT * LARGER), WALL)
    draw = ImageDraw.Draw(picture)
    _box(draw, TABLE, 0, 330, WIDTH, 370)
    _box(draw, FLOOR, 0, 620, WIDTH, HEIGHT)
    colour = chance.choice(COLOURS)
    chance.choice((_elevator, _arm, _shooter))(draw, colour)
    _chassis(draw, chance.choice(BUMPERS), team)
    for _ball in range(chance.randint(1, 4)):
        _circle(draw, FUEL, chance.randint(80, 1120), chance.randint(790, 850), 32)
    file = BytesIO()
    picture.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS).save(file, "JPEG", quality=85)
    return file.getvalue()


def _chassis(draw: Draw, bumper: str, team: str) -> None:
    for x in (390, 600, 810):
        _circle(draw, DARK, x, 730, 62)
        _circle(draw, METAL, x, 730, 22)
    _box(draw, METAL, 330, 560, 870, 620)
    _box(draw, bumper, 290, 610, 910, 710)
    font = ImageFont.load_default(size=76 * LARGER)
    draw.text((600 * LARGER, 660 * LARGER), team, fill="#ffffff", font=font, anchor="mm")


def _elevator(draw: Draw, colour: str) -> None:
    """Two masts with a carriage between them."""
    for x in (450, 710):
        _box(draw, METAL, x, 130, x + 40, 570)
    _box(draw, colour, 430, 250, 770, 310)
    _box(draw, DARK, 480, 310, 720, 390)
    _circle(draw, FUEL, 600, 350, 32)


def _arm(draw: Draw, colour: str) -> None:
    """A long arm with a gripper at its end."""
    _box(draw, METAL, 400, 380, 460, 570)
    _line(draw, colour, (430, 390), (800, 190), 46)
    _circle(draw, DARK, 430, 390, 36)
    for end in ((900, 170), (860, 270)):
        _line(draw, DARK, (800, 190), end, 24)
    _circle(draw, FUEL, 900, 240, 32)


def _shooter(draw: Draw, colour: str) -> None:
    """A hopper with two wheels on top."""
    corners = ((400, 570), (800, 570), (890, 330), (360, 330))
    draw.polygon([(x * LARGER, y * LARGER) for x, y in corners], fill=colour)
    for x, y in ((470, 320), (560, 300), (650, 315), (740, 300)):
        _circle(draw, FUEL, x, y, 34)
    _box(draw, METAL, 780, 200, 960, 330)
    for y in (220, 310):
        _circle(draw, DARK, 930, y, 46)


def _box(draw: Draw, colour: str, left: int, top: int, right: int, bottom: int) -> None:
    draw.rectangle([edge * LARGER for edge in (left, top, right, bottom)], fill=colour)


def _line(draw: Draw, colour: str, start: tuple[int, int], end: tuple[int, int], width: int) -> None:
    draw.line([(x * LARGER, y * LARGER) for x, y in (start, end)], fill=colour, width=width * LARGER)


def _circle(draw: Draw, colour: str, x: int, y: int, radius: int) -> None:
    draw.circle((x * LARGER, y * LARGER), radius * LARGER, fill=colour)
