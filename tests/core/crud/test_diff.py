"""What differs between two versions, as people read it."""

from datetime import UTC, datetime

from django import forms

from core.crud.diff import Difference, Piece, difference, words
from core.crud.display import Names
from core.crud.fields import PickerField, RowForm, RowsField, TagsField
from core.crud.fields.richtext import RichTextField

TEXT = forms.CharField(label="Text")


def text(number: int) -> str:
    return " ".join(f"word{place}" for place in range(number))


def differing(field: forms.Field, before: object, after: object, names: Names | None = None) -> Difference:
    found = difference("field", field, before, after, names or Names())
    assert found is not None
    return found


def document(*marks: str, words: str = "Five sets.") -> dict[str, object]:
    node = {"type": "text", "text": words, "marks": [{"type": mark} for mark in marks]}
    return {"type": "doc", "content": [{"type": "paragraph", "content": [node]}]}


def test_only_the_words_that_changed_are_marked() -> None:
    assert words("Two hours, four sets and one point.", "Two hours, five sets and one point.") == [
        Piece("same", "Two hours, "),
        Piece("removed", "four "),
        Piece("added", "five "),
        Piece("same", "sets and one point."),
    ]


def test_a_single_word_between_two_changes_is_shown_with_them() -> None:
    assert words("a tall and old tree", "a small and young tree") == [
        Piece("same", "a "),
        Piece("removed", "tall and old "),
        Piece("added", "small and young "),
        Piece("same", "tree"),
    ]


def test_long_stretches_without_a_change_are_shortened() -> None:
    pieces = words(text(100) + " old " + text(100), text(100) + " new " + text(100))

    kinds = [piece.kind for piece in pieces]
    assert kinds == ["skipped", "same", "removed", "added", "same", "skipped"]
    assert pieces[1].text == " ".join(f"word{place}" for place in range(88, 100)) + " "
    assert pieces[4].text == " ".join(f"word{place}" for place in range(12)) + " "


def test_a_new_paragraph_is_marked_as_one() -> None:
    assert words("One.\n\nThree.", "One.\n\nTwo.\n\nThree.") == [
        Piece("same", "One.\n\n"),
        Piece("added", "Two.\n\n"),
        Piece("same", "Three."),
    ]


def test_nothing_of_either_text_is_lost() -> None:
    old, new = "a b c\nd e f\ng\n", "a x c\nd e\nh g\nlast"

    pieces = words(old, new)

    assert "".join(piece.text for piece in pieces if piece.kind != "removed").split() == new.split()
    assert "".join(piece.text for piece in pieces if piece.kind != "added").split() == old.split()


def test_texts_made_to_be_slow_are_shown_whole() -> None:
    # Compared word by word this would take hours.
    pieces = words("a b " * 50_000, "b a a " * 40_000)

    assert [piece.kind for piece in pieces if piece.kind != "same"] == ["removed", "added"]


def test_a_short_value_is_shown_before_and_after() -> None:
    found = differing(TEXT, "Derby", "Derby lost")

    assert (found.title, found.kind, found.before, found.after) == ("Text", "values", "Derby", "Derby lost")


def test_nothing_is_the_same_as_nothing_however_it_is_stored() -> None:
    assert [difference("field", TEXT, None, empty, Names()) for empty in (None, "", [], set())] == [None] * 4


def test_rich_text_is_compared_by_its_words() -> None:
    found = differing(RichTextField(), document(words="Five " * 30), document(words="Five " * 29 + "six"))

    assert found.kind == "words"
    assert [piece for piece in found.pieces if piece.kind in {"removed", "added"}] == [
        Piece("removed", "Five"),
        Piece("added", "six"),
    ]


def test_rich_text_of_which_only_the_formatting_changed_says_so() -> None:
    assert differing(RichTextField(), document(), document("bold")).kind == "formatting"


def test_of_a_list_what_was_added_and_removed_is_shown() -> None:
    found = differing(TagsField(), ["derby", "women"], ["women", "cup"])

    assert (found.kind, found.removed, found.added) == ("list", ["derby"], ["cup"])


def test_a_list_in_another_order_shows_both_orders() -> None:
    found = differing(TagsField(), ["derby", "cup"], ["cup", "derby"])

    assert (found.kind, found.before, found.after) == ("values", "derby, cup", "cup, derby")


def test_keys_of_other_records_are_shown_as_names() -> None:
    names = Names({("person", "1"): "Odile Brandt", ("person", "2"): "Maya Rosenthal"})

    found = differing(PickerField(to="person", many=True), ["1"], ["2", "gone"], names)

    assert (found.removed, found.added) == (["Odile Brandt"], ["Maya Rosenthal", "(deleted)"])


def test_times_are_on_the_clock_of_the_club_and_choices_in_words() -> None:
    moment = datetime(2026, 7, 1, 12, 0, tzinfo=UTC)
    choice = forms.ChoiceField(choices=[("draft", "Draft"), ("published", "Published")])

    assert "14:00" in differing(forms.Field(), None, moment).after
    found = differing(choice, "draft", "published")
    assert (found.before, found.after) == ("Draft", "Published")


class Video(RowForm):
    name = forms.CharField()
    is_live = forms.BooleanField(required=False)


def test_rows_are_compared_as_rows() -> None:
    before = [{"name": "Derby", "is_live": True}]

    found = differing(RowsField(Video), before, [*before, {"name": "Cup", "is_live": False}])

    assert (found.removed, found.added) == ([], ["Cup · No"])


def test_a_set_has_no_order_to_change() -> None:
    assert difference("field", TagsField(), {"derby", "cup"}, ["cup", "derby"], Names()) is None


def test_a_list_that_began_empty_has_only_additions() -> None:
    found = differing(TagsField(), None, ["cup"])

    assert (found.kind, found.removed, found.added) == ("list", [], ["cup"])
