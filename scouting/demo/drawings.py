"""Draws robots as photos for the pit forms of the demo."""

from random import Random

from PIL import ImageFont

from core.media.canvas import LARGER, Canvas

WIDTH, HEIGHT = 1200, 900
FLOOR, WALL, TABLE = "#b9b4a8", "#dfe6ea", "#8a6b4c"
METAL, DARK, FUEL = "#a7b2bb", "#2c3238", "#f2c230"
BUMPERS = ("#b3261e", "#1b55b5")
COLOURS = ("#2f8f6b", "#8a4fb0", "#d2762a", "#2a7fa5", "#b5446e", "#6b7d2c")


def robot(team: str) -> bytes:
    """The picture of a team's robot; always the same for the same team."""
    chance = Random(f"robot/{team}")
    canvas = Canvas(WIDTH, HEIGHT, WALL)
    canvas.box(TABLE, 0, 330, WIDTH, 370)
    canvas.box(FLOOR, 0, 620, WIDTH, HEIGHT)
    colour = chance.choice(COLOURS)
    chance.choice((_elevator, _arm, _shooter))(canvas, colour)
    _chassis(canvas, chance.choice(BUMPERS), team)
    for _ball in range(chance.randint(1, 4)):
        canvas.circle(FUEL, chance.randint(80, 1120), chance.randint(790, 850), 32)
    return canvas.jpeg()


def _chassis(canvas: Canvas, bumper: str, team: str) -> None:
    for x in (390, 600, 810):
        canvas.circle(DARK, x, 730, 62)
        canvas.circle(METAL, x, 730, 22)
    canvas.box(METAL, 330, 560, 870, 620)
    canvas.box(bumper, 290, 610, 910, 710)
    font = ImageFont.load_default(size=76 * LARGER)
    canvas.draw.text((600 * LARGER, 660 * LARGER), team, fill="#ffffff", font=font, anchor="mm")


def _elevator(canvas: Canvas, colour: str) -> None:
    """Two masts with a carriage between them."""
    for x in (450, 710):
        canvas.box(METAL, x, 130, x + 40, 570)
    canvas.box(colour, 430, 250, 770, 310)
    canvas.box(DARK, 480, 310, 720, 390)
    canvas.circle(FUEL, 600, 350, 32)


def _arm(canvas: Canvas, colour: str) -> None:
    """A long arm with a gripper at its end."""
    canvas.box(METAL, 400, 380, 460, 570)
    canvas.line(colour, (430, 390), (800, 190), 46)
    canvas.circle(DARK, 430, 390, 36)
    for end in ((900, 170), (860, 270)):
        canvas.line(DARK, (800, 190), end, 24)
    canvas.circle(FUEL, 900, 240, 32)


def _shooter(canvas: Canvas, colour: str) -> None:
    """A hopper with two wheels on top."""
    canvas.polygon(colour, (400, 570), (800, 570), (890, 330), (360, 330))
    for x, y in ((470, 320), (560, 300), (650, 315), (740, 300)):
        canvas.circle(FUEL, x, y, 34)
    canvas.box(METAL, 780, 200, 960, 330)
    for y in (220, 310):
        canvas.circle(DARK, 930, y, 46)
