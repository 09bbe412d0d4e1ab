"""A canvas for the pictures of example records."""

from io import BytesIO

from PIL import Image, ImageDraw

# Drawn larger and scaled down for smooth edges.
LARGER = 2
Point = tuple[int, int]


class Canvas:
    def __init__(self, width: int, height: int, ground: str) -> None:
        self.size = width, height
        self.picture = Image.new("RGB", (width * LARGER, height * LARGER), ground)
        self.draw = ImageDraw.Draw(self.picture)

    def polygon(self, colour: str, *corners: Point) -> None:
        self.draw.polygon([(x * LARGER, y * LARGER) for x, y in corners], fill=colour)

    def line(self, colour: str, start: Point, end: Point, width: int) -> None:
        ends = [(x * LARGER, y * LARGER) for x, y in (start, end)]
        self.draw.line(ends, fill=colour, width=width * LARGER)

    def circle(self, colour: str, x: int, y: int, radius: int) -> None:
        self.draw.circle((x * LARGER, y * LARGER), radius * LARGER, fill=colour)

    def box(self, colour: str, left: int, top: int, right: int, bottom: int, *, radius: int = 0) -> None:
        edges = [edge * LARGER for edge in (left, top, right, bottom)]
        self.draw.rounded_rectangle(edges, radius * LARGER, fill=colour)

    def jpeg(self) -> bytes:
        file = BytesIO()
        self.picture.resize(self.size, Image.Resampling.LANCZOS).save(file, "JPEG", quality=85)
        return file.getvalue()
