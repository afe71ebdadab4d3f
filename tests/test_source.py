"""Bytes become lines: encodings, line ends, single broken characters, and what is refused."""

from __future__ import annotations

import hashlib
import json
import os
import re
import zipfile
from io import BytesIO
from pathlib import Path

import pytest
from copies import CODE_PAGES, ENCODINGS, GOOD, LINE_ENDS, STRAIGHT
from hypothesis import given
from hypothesis import strategies as st
from real import parsed
from rulesgraph.loaders.cards.reading import is_card_data
from rulesgraph.loaders.cases import is_case_data
from rulesgraph.loaders.given import read_whole
from rulesgraph.loaders.language.words import wording
from rulesgraph.loaders.reading.detect import load_document
from rulesgraph.loaders.reading.encodings import decode_bytes
from rulesgraph.loaders.reading.mending import mend
from rulesgraph.loaders.reading.source import decode, read_source, split_lines
from rulesgraph.ontology.errors import SourceError
from rulesgraph.queries.citing.scan import scan

# Encodings

NAMES = {
    "utf-8": "utf-8",
    "utf-8 with a mark": "utf-8-sig",
    "utf-16 little endian": "utf-16-le",
    "utf-16 big endian": "utf-16-be",
    "utf-16 little endian, no mark": "utf-16-le",
    "utf-16 big endian, no mark": "utf-16-be",
    "cp1252": "cp1252",
    "mac-roman": "mac-roman",
}


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_the_encoding_is_found(encoding: str) -> None:
    source = decode(ENCODINGS[encoding](GOOD), "rules.txt")
    assert source.encoding == NAMES[encoding]
    assert list(source.lines) == GOOD.splitlines()
    assert source.problems == ()


WORDS = [
    (b"the keeper\x92s lamp", "cp1252", "the keeper’s lamp"),
    (b"a \x93lamp\x94 is lit \x97 always", "cp1252", "a “lamp” is lit — always"),
    (b"Dand\x83n sails", "cp437", "Dandân sails"),  # 0x83 in a word is no ƒ
    (b"caf\x82 and pi\xa4ata", "cp437", "café and piñata"),  # 0xA4 is no currency sign
    (b"S\xc6o Jo\xc6o", "cp850", "São João"),  # 0xC6 is a box in code page 437
    (b"Dand\xe2n, Jun\xfan", "cp1252", "Dandân, Junún"),
    (b"the keeper\xd5s \xd2lamp\xd3", "mac-roman", "the keeper’s “lamp”"),
    (b"Lamps\xae and Bells\x99", "cp1252", "Lamps® and Bells™"),
]


@pytest.mark.parametrize(("data", "encoding", "text"), WORDS)
def test_high_bytes_are_read_by_the_words_they_stand_in(data: bytes, encoding: str, text: str) -> None:
    assert decode_bytes(data) == (text, encoding)


@pytest.mark.parametrize("encoding", CODE_PAGES)
def test_dos_code_pages(encoding: str) -> None:
    assert list(decode(CODE_PAGES[encoding](STRAIGHT), "x").lines) == STRAIGHT.splitlines()


def test_the_checksum_is_of_the_bytes() -> None:
    data = GOOD.encode("utf-16")
    assert decode(data, "x").checksum == hashlib.sha256(data).hexdigest()


# Lines

BREAKS = [
    ("a\nb\n", ["a", "b"]),
    ("a\r\nb", ["a", "b"]),
    ("a\rb\r", ["a", "b"]),
    ("a\nb\r\nc\rd", ["a", "b", "c", "d"]),
    ("a\r\r\nb\r\r\nc", ["a", "b", "c"]),  # CRLF converted twice, throughout
    ("a\r\nb\r\r\nc\r\n", ["a", "b", "c"]),  # and once
    ("a\rb\r\r\nc\rd\r", ["a", "b", "", "c", "d"]),  # among lone CRs a blank line comes between
    ("a\r\n\r\nb", ["a", "", "b"]),
    ("a\x0bb\x0cc\x85d\u2028e\u2029f\x1cg", ["a\x0bb\x0cc\x85d\u2028e\u2029f\x1cg"]),  # no breaks
    ("\n\na", ["", "", "a"]),
]


@pytest.mark.parametrize(("text", "lines"), BREAKS)
def test_line_ends(text: str, lines: list[str]) -> None:
    assert split_lines(text) == lines


@pytest.mark.parametrize("line_end", LINE_ENDS)
def test_lines_keep_their_numbers(line_end: str) -> None:
    lines = GOOD.splitlines()
    assert list(decode(LINE_ENDS[line_end](lines).encode(), "x").lines) == lines


def test_the_mark_of_the_end_of_a_dos_file_goes() -> None:
    assert decode(b"one\r\ntwo\r\n\x1a", "x").lines == ("one", "two")


def test_the_lines_of_real_files(shared: Path) -> None:
    """A stray CR CR LF is one break, but a blank line in a file that breaks its lines with CR."""
    assert len(read_source(shared / "corpora/cr/2003-07-01.txt").lines) == 2682
    assert len(read_source(shared / "corpora/cr/2020-04-17.txt").lines) == 7356


REAL_ENCODINGS = {
    "1999-11-01": "utf-8",
    "2003-07-01": "ascii",
    "2006-07-15": "cp437",
    "2013-05-01": "utf-16-be",
    "2016-11-11": "cp1252",
    "2020-04-17": "utf-8-sig",
    "2025-06-06": "utf-8-sig",
}


@pytest.mark.parametrize("edition", REAL_ENCODINGS)
def test_the_encodings_of_real_files(shared: Path, edition: str) -> None:
    source = read_source(shared / "corpora" / "cr" / f"{edition}.txt")
    assert source.encoding == REAL_ENCODINGS[edition]
    assert source.problems == ()


# Mending

MENDED = [
    ("the keeperâ€™s â€œlampâ€\x9d", "the keeper’s “lamp”", ["mojibake"]),  # read as cp1252
    ("the keeperâ\x80\x99s lamp", "the keeper’s lamp", ["mojibake"]),  # read as Latin 1
    ("the keeperΓÇÖs lamp", "the keeper’s lamp", ["mojibake"]),  # read as code page 437
    ("the keeperÔÇÖs lamp", "the keeper’s lamp", ["mojibake"]),  # read as code page 850
    ("the keeper‚Äôs lamp", "the keeper’s lamp", ["mojibake"]),  # read on a Macintosh
    ("DandÃ¢n", "Dandân", ["mojibake"]),
    ("the keeper\x92s lamp", "the keeper’s lamp", ["mojibake"]),  # cp1252 taken for Latin 1
    ("the keeper\ufffds lamp", "the keeper’s lamp", ["replacement-character"]),
    ("the keeper\ufffd\ufffd\ufffds lamp", "the keeper’s lamp", ["replacement-character"]),
    ("a \ufffdlit\ufffd lamp", "a “lit” lamp", ["replacement-character"]),
    ("lamps \ufffd bells", "lamps \ufffd bells", ["replacement-character"]),  # cannot be known
    ("Lamps\ufffd and bells", "Lamps\ufffd and bells", ["replacement-character"]),
    ("the keeper?s lamp isn?t lit", "the keeper’s lamp isn’t lit", ["replacement-character"]),
    ("Is it lit? Some say so.", "Is it lit? Some say so.", []),
    ("a \x13lamp", "a lamp", ["control-character"]),
    ("\ufeffa la\u00admp\u200b", "a lamp", []),  # invisible
    ("El-Hajjâj, Æther, “É”", "El-Hajjâj, Æther, “É”", []),  # nothing is broken
]


@pytest.mark.parametrize(("line", "mended", "codes"), MENDED)
def test_single_broken_characters(line: str, mended: str, codes: list[str]) -> None:
    (result,), problems = mend([line])
    assert result == mended
    assert [problem.code for problem in problems] == codes


def test_a_problem_says_how_many_were_mended_and_where() -> None:
    _, (problem,) = mend(["whole", "a \ufffdlit\ufffd lamp", "lamps \ufffd bells"])
    assert (problem.first_line, problem.last_line) == (2, 3)
    assert "3 places" in problem.message
    assert "1 of them could not be repaired" in problem.message


WITHOUT_MARKS = [
    (
        "the ?lit? lamp and the ?lamp of lamps.? (See 1.2, ?Lamps.?)",
        "the “lit” lamp and the “lamp of lamps.” (See 1.2, “Lamps.”)",
    ),
    ("each of the ?keeper?s lamps,? it?s said", "each of the “keeper’s lamps,” it’s said"),
    ("a lamp that ?dims? or ?has the words ?I dim.??", "a lamp that “dims” or “has the words ‘I dim.’”"),
    ("all keepers? lamps in the ?keepers? house?", "all keepers’ lamps in the “keepers’ house”"),
    ("Lamp ? Wall, 101?103, 409.1f?h", "Lamp — Wall, 101–103, 409.1f–h"),
    ("the ?lamp house? is a lamp?the lamp is not", "the “lamp house” is a lamp—the lamp is not"),
    ("it says ?dim??and goes out", "it says “dim”—and goes out"),
    ("Is it lit? Who knows?", "Is it lit? Who knows?"),
    (
        "a Keeper? lamp, a DCI? Lamp of D?zin",
        "a Keeper\ufffd lamp, a DCI\ufffd Lamp of D?zin",
    ),  # which one cannot be known
    ("www.x.com/a?b=c", "www.x.com/a?b=c"),
]


@pytest.mark.parametrize("lost", ["?", "\ufffd", "\ufffd" * 3])
def test_a_text_that_lost_all_its_marks_has_them_back(lost: str) -> None:
    """A character that may as well be another stays as it is."""
    spoilt = [line.replace("?", lost) for line, _ in WITHOUT_MARKS]
    found, (problem,) = mend(spoilt)
    assert found == tuple(mended.replace("?", lost) for _, mended in WITHOUT_MARKS)
    assert "could not be repaired" in problem.message


WITHOUT_DASHES = [
    ("the lamp is lit only once?the next night", "the lamp is lit only once—the next night"),
    ('a "dim" lamp?the keeper waits?is no lamp', 'a "dim" lamp—the keeper waits—is no lamp'),
    ('a "Lamp ? Wall" burns, see 101.2a?c', 'a "Lamp — Wall" burns, see 101.2a–c'),
    ('it has "Choose one ?" or "Dim the lamp"?a cost', 'it has "Choose one —" or "Dim the lamp"—a cost'),
    ("www.x.com/keeper.aspx?x=lamp/house", "www.x.com/keeper.aspx?x=lamp/house"),
    ("Is the lamp lit? Who knows?", "Is the lamp lit? Who knows?"),
    ("?1993?2009 Keepers", "\ufffd1993–2009 Keepers"),
    ("every lamp is lit?no keeper waits", "every lamp is lit—no keeper waits"),
    ("once it is dim?the keeper is no lamp", "once it is dim—the keeper is no lamp"),
]


def test_a_text_that_lost_its_dashes_alone_has_them_back() -> None:
    found, (problem,) = mend([line for line, _ in WITHOUT_DASHES])
    assert found == tuple(mended for _, mended in WITHOUT_DASHES)
    assert "1 of them could not be repaired" in problem.message


def test_an_edition_that_lost_its_dashes_has_the_words_of_those_around_it(shared: Path) -> None:
    """Its quotation marks are intact, and its addresses contain question marks."""
    spoilt = parsed(shared / "corpora" / "cr" / "2009-05-01.txt")
    words = [text for unit in spoilt.units for text in (unit.text, *(it.text for it in unit.examples))]
    assert not [it for it in words if re.search(r"[a-z]\?[a-z](?!=)", it)]
    assert sum("?x=" in it for it in words) > 5


def test_the_edition_that_lost_its_marks_has_the_words_of_its_neighbour(shared: Path) -> None:
    before = {rule.number: rule for rule in parsed(shared / "corpora" / "cr" / "2008-02-01.txt").rules}
    spoilt = parsed(shared / "corpora" / "more" / "2008-05-01.txt")
    both = [(before[rule.number], rule) for rule in spoilt.rules if rule.number in before]
    assert len(both) > 1_200
    reworded = [new.number for old, new in both if wording(old.text) != wording(new.text)]
    assert len(reworded) <= 31
    (problem,) = [it for it in spoilt.problems if it.code == "replacement-character"]
    assert "could not be repaired" in problem.message  # the signs of rights, and a name's apostrophe


def test_a_ruler_is_no_remains_of_mail() -> None:
    assert decode(b"A lamp\n======\n\n====================\n= = = =\nIt dims.\n", "x").problems == ()


def test_what_is_broken_throughout_is_refused() -> None:
    with pytest.raises(SourceError, match="another encoding") as refusal:
        mend(["good", *["the keeperâ€s lamp"] * 40])
    assert refusal.value.line == 2


# Refusals


def office_document() -> bytes:
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("word/document.xml", "<w:document/>")
    return buffer.getvalue()


REFUSED = [
    (b"", "empty"),
    (b" \r\n\t\n", "empty"),
    ("\ufeff\u200b\n".encode(), "empty"),
    (b"%PDF-1.7\n1 0 obj", "PDF"),
    (office_document(), "ZIP archive or an office document"),
    (b"{\\rtf1\\ansi rules}", "rich text"),
    (b"\x89PNG\r\n\x1a\n\0\0", "picture"),
    (b"\x7fELF\x02\x01\x01\0", "not a text"),
    (bytes(range(256)) * 4, "not a text"),
    (b"\x01\x02\x03\x04\x05\x06" * 20, "not a text"),
    ("the keeper’s lamp is lit\n".encode() * 9 + b"and \xff\xfe\x80 dark", "cannot be part of it"),
    (b"\xff\xfe\x00\xd8a\x00", "utf-16-le up to"),  # half a surrogate pair
    (b"\xff\xfea\0b", "middle of a character"),  # an odd number of bytes
    ("the keeper’s lamp and the keeper’".encode()[:-1], "middle of a character"),
    (("\ufffdit the la\ufffdp \ufffd" * 9 + "\n").encode() * 3, "U\\+FFFD"),
]


@pytest.mark.parametrize(("data", "message"), REFUSED)
def test_refused_with_what_where_and_the_way_out(data: bytes, message: str) -> None:
    with pytest.raises(SourceError, match=message) as refusal:
        decode(data, "folder/file.txt")
    assert refusal.value.source == "folder/file.txt"
    assert refusal.value.way_out
    assert str(refusal.value).startswith("folder/file.txt")


def test_a_foreign_byte_is_pointed_at() -> None:
    with pytest.raises(SourceError) as refusal:
        decode("One “lamp”.\nTwo “lamps” and ".encode() + b"\x92 more.", "x")
    assert refusal.value.line == 2
    assert refusal.value.column == len("Two “lamps” and ") + 1


def test_missing_folder_and_odd_files(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no such file"):
        read_source(tmp_path / "nowhere.txt")
    with pytest.raises(SourceError, match="folder"):
        read_source(tmp_path)
    with pytest.raises(SourceError, match="cannot be read"):
        read_source("nul\0byte.txt")
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(SourceError, match="not a regular file"):
        read_source(pipe)
    huge = tmp_path / "huge.txt"
    with huge.open("wb") as file:
        file.truncate(65 * 1024 * 1024)
    with pytest.raises(SourceError, match="more than any rules text"):
        read_source(huge)


def test_a_file_without_read_permission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The permission is faked: for the superuser a mode of 0 changes nothing."""
    locked = tmp_path / "locked.txt"
    locked.write_text(GOOD, encoding="utf-8")

    def refuse(_path: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(SourceError, match="Permission denied") as refusal:
        read_source(locked)
    assert "chmod" in refusal.value.way_out


def test_the_damaged_files_are_refused(shared: Path) -> None:
    reencoded = shared / "corpora" / "damaged" / "2016-08-26-utf16-reencoded.txt"
    with pytest.raises(SourceError, match="encoded again"):
        read_source(reencoded)
    cut_off = read_source(shared / "corpora" / "damaged" / "2013-02-01-cut-off.txt")
    with pytest.raises(SourceError, match="cut off") as refusal:
        load_document(cut_off)
    assert refusal.value.line == 4609


# Properties


@given(st.binary(max_size=400))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    try:
        source = decode(data, "x")
    except SourceError as error:
        refusal: SourceError | None = error
    else:
        refusal = None
        assert any(line.strip() for line in source.lines)
    assert refusal is None or refusal.way_out


@given(st.text(alphabet=st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=300))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        source = decode(text.encode(), "x")
    except SourceError:
        return
    assert len(source.lines) == len(split_lines(text.removeprefix("\ufeff").rstrip("\x1a")))


ODDITIES = (
    "",
    "   ",
    "100.",
    "101.1.",
    "408.f x",
    "\ufffd",
    "**100.1.** x",
    "| |",
    "G1.1 - Lamp",
    "See rule",
)
PIECES = st.sampled_from([*GOOD.splitlines(), *ODDITIES])


@given(st.lists(PIECES, max_size=60), st.sampled_from(["\n", "\r", "\r\n", "\r\r\n"]))
def test_any_pieces_of_a_text_load_or_are_refused(pieces: list[str], line_end: str) -> None:
    try:
        document = load_document(decode(line_end.join(pieces).encode(), "x"))
    except SourceError as error:
        refusal: SourceError | None = error
    else:
        refusal = None
        assert document.unaccounted == ()
    assert refusal is None or refusal.way_out


# What is left of encodings for mail

MAIL = [
    ("The ship=E2=80=99s bell rings.", "quoted-printable", "'=E2=80=99'"),
    ("The ship sails =", "quoted-printable", "'='"),
    ("It turns =96 and turns.", "quoted-printable", "'=96'"),
    ("The ship+IBk-s bell rings.", "UTF-7", "'+IBk-'"),
    ("+IBw-Tide,+IB0- it says.", "UTF-7", "'+IBw-'"),
    ("It gets a +-1/+-1 counter.", "UTF-7", "'+-'"),
]


@pytest.mark.parametrize(("line", "encoding", "shown"), MAIL)
def test_remains_of_mail_are_named(line: str, encoding: str, shown: str) -> None:
    source = decode(f"All is well.\n{line}\n".encode(), "x")
    assert [(it.code, it.first_line) for it in source.problems] == [("mail-encoding", 2)]
    assert f"as {encoding} (" in source.problems[0].message
    assert shown in source.problems[0].message
    assert source.lines[1] == line


@pytest.mark.parametrize(
    "line",
    [
        "It gets +1/+1 counters.",
        "Power = toughness.",
        "It gets +land- and +X/+X-.",
        "a=b",
        "+Tide+ +Wave-",
        "A +1/+1 or +-2",
    ],
)
def test_other_signs_are_no_mail(line: str) -> None:
    assert decode(line.encode(), "x").problems == ()


@pytest.mark.parametrize(
    ("piece", "name"), [("=E2=80=99", "quoted-printable"), ("+IBk-", "UTF-7"), ("+-1", "UTF-7")]
)
def test_a_text_encoded_for_mail_is_refused(piece: str, name: str) -> None:
    with pytest.raises(SourceError, match=f"encoded for mail, as {name}, in 30 places") as refusal:
        decode((f"The ship{piece}s bell\n" * 30).encode(), "x")
    assert (refusal.value.line, refusal.value.column) == (1, 9)


def test_no_real_document_has_remains_of_mail(shared: Path) -> None:
    for path in sorted((shared / "corpora").glob("[cp][ra]*/*.txt")):
        assert "mail-encoding" not in {it.code for it in read_source(path).problems}


SECRETS = "root:$6$lantern:19000:0:99999:7:::\nkeeper:$6$harbour:19000:0:99999:7:::\n"


@pytest.mark.parametrize(
    "data",
    [
        SECRETS.encode(),
        SECRETS.encode() + b"\xff\xfe\x81",
        (SECRETS + "<html><p>" * 30).encode(),
        (SECRETS + "1" * 200).encode(),
        SECRETS.encode("utf-16"),
        json.dumps({"password": SECRETS}).encode(),
    ],
)
def test_a_refusal_quotes_nothing_of_a_file_that_is_no_document(tmp_path: Path, data: bytes) -> None:
    """A folder from elsewhere may contain a link to any file of the user who loads it."""
    (tmp_path / "shadow").write_bytes(data)
    (tmp_path / "rules.txt").symlink_to(tmp_path / "shadow")
    with pytest.raises(SourceError) as refused:
        load_document(read_source(tmp_path / "rules.txt"))
    assert "lantern" not in str(refused.value)
    assert "$6$" not in str(refused.value)


@pytest.mark.skipif(not Path("/proc/kmsg").exists(), reason="this system has no such file")
def test_a_file_of_the_system_that_never_ends_is_empty() -> None:
    assert read_whole("/proc/kmsg") == b""
    assert not is_card_data("/proc/kmsg")
    assert not is_case_data("/proc/kmsg")
    assert scan([Path("/proc/kmsg")]).files == 1
    with pytest.raises(SourceError, match="the file is empty"):
        read_source("/proc/kmsg")
