"""Windows on the student's past, as of Thursday 15 October 2026 in Paris."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.calendar_words import calendar
from memory.moments import Moment
from memory.windows import find_window
from memory.words import LANGUAGES

NOW = Moment.parse("2026-10-15T17:00:00+02:00")
WINDOWS = """
en | what did I miss today | 2026-10-15
en | yesterday | 2026-10-14
en | the day before yesterday | 2026-10-13
en | three days ago | 2026-10-12
en | what did we do on Monday | 2026-10-12
en | last thursday | 2026-10-08
en | last weekend | 2026-10-10..2026-10-11
en | this week | 2026-10-12..2026-10-15
en | last week | 2026-10-05..2026-10-11
en | two weeks ago | 2026-09-28..2026-10-04
en | in the last 7 days | 2026-10-08..2026-10-15
en | this month | 2026-10-01..2026-10-15
en | last month | 2026-09-01..2026-09-30
en | in December | 2025-12-01..2025-12-31
en | in march | 2026-03-01..2026-03-31
en | may: anything done? | 2026-05-01..2026-05-31
en | on the 3rd of July | 2026-07-03
en | on 12/9 | 2026-09-12
en | on 2026-03-04 | 2026-03-04
en | in 2025 | 2025-01-01..2025-12-31
en | between November and January | 2025-11-01..2026-01-31
en | from September to February | 2025-09-01..2026-02-28
en | since last week | 2026-10-05..2026-10-15
en | since September | 2026-09-01..2026-10-15
en | last summer | 2026-06-01..2026-08-31
en | last winter | 2025-12-01..2026-02-28
en | early march | 2026-03-01..2026-03-10
en | between 3 and 10 March | 2026-03-03..2026-03-10
en | last year | 2025-01-01..2025-12-31
en | in July last year | 2025-07-01..2025-07-31
fr | avant-hier | 2026-10-13
fr | il y a trois jours | 2026-10-12
fr | la semaine dernière | 2026-10-05..2026-10-11
fr | en août | 2026-08-01..2026-08-31
fr | en aout 2025 | 2025-08-01..2025-08-31
fr | depuis septembre | 2026-09-01..2026-10-15
fr | entre mars et mai | 2026-03-01..2026-05-31
fr | le 12/9 | 2026-09-12
fr | ces 7 derniers jours | 2026-10-08..2026-10-15
fr | début mars | 2026-03-01..2026-03-10
fr | l'été dernier | 2026-06-01..2026-08-31
es | anteayer | 2026-10-13
es | hace dos semanas | 2026-09-28..2026-10-04
es | en agosto | 2026-08-01..2026-08-31
es | los últimos 7 días | 2026-10-08..2026-10-15
es | desde marzo | 2026-03-01..2026-10-15
es | el lunes | 2026-10-12
es | el mes pasado | 2026-09-01..2026-09-30
ar | أول أمس | 2026-10-13
ar | الأسبوع الماضي | 2026-10-05..2026-10-11
ar | في تموز | 2026-07-01..2026-07-31
ar | في جويلية | 2026-07-01..2026-07-31
ar | في غشت | 2026-08-01..2026-08-31
ar | قبل ثلاثة أيام | 2026-10-12
ar | منذ سبتمبر | 2026-09-01..2026-10-15
ar | من تشرين الثاني إلى كانون الثاني | 2025-11-01..2026-01-31
ar | يوم الاثنين | 2026-10-12
ar | امبارح | 2026-10-14
de | vorgestern | 2026-10-13
de | letzte Woche | 2026-10-05..2026-10-11
de | vor zwei Wochen | 2026-09-28..2026-10-04
de | im März | 2026-03-01..2026-03-31
de | seit September | 2026-09-01..2026-10-15
de | im Jänner | 2026-01-01..2026-01-31
de | am 3. Juli | 2026-07-03
it | l'altro ieri | 2026-10-13
it | la settimana scorsa | 2026-10-05..2026-10-11
it | tre giorni fa | 2026-10-12
it | a luglio | 2026-07-01..2026-07-31
it | tra marzo e maggio | 2026-03-01..2026-05-31
pt | anteontem | 2026-10-13
pt | na semana passada | 2026-10-05..2026-10-11
pt | há três dias | 2026-10-12
pt | em março | 2026-03-01..2026-03-31
pt | na segunda-feira | 2026-10-12
pt | desde setembro | 2026-09-01..2026-10-15
"""
TRAPS = """
en | what happened in July 1789
en | my mistakes on the July Crisis
en | may I ask a question
en | soldiers march at dawn
en | my test is on Monday
en | a list for thursday
en | next week
en | so far
en | in the third week of pregnancy
en | I got 7/12 of them wrong
en | translate "I saw him in June"
fr | on a vu quoi sur mars, la planète
fr | mes erreurs sur mai 68
fr | avant les vacances
fr | jusqu'ici
fr | mon contrôle est lundi
fr | pour jeudi
es | los errores en el tema del 2 de mayo
es | hasta ahora
es | para el lunes
ar | أخطائي في ثورة يوليو
ar | حتى الآن
de | meine Fehler zur Märzrevolution
de | bis jetzt
it | dove ho sbagliato sul 25 aprile
pt | onde me enganei na Revolução de Outubro
"""


def rows(block: str) -> list[list[str]]:
    return [[part.strip() for part in line.split(" | ")] for line in block.strip().splitlines()]


@pytest.mark.parametrize(("language", "text", "wanted"), rows(WINDOWS))
def test_a_time_expression_gives_its_window(language: str, text: str, wanted: str) -> None:
    first, _, last = wanted.partition("..")
    found = find_window(text, language, NOW)
    assert found is not None
    assert (found.window.first, found.window.last) == (
        date.fromisoformat(first),
        date.fromisoformat(last or first),
    )


@pytest.mark.parametrize(("language", "text"), rows(TRAPS))
def test_a_trap_gives_no_window(language: str, text: str) -> None:
    assert find_window(text, language, NOW) is None


def test_the_students_own_day_counts_not_the_one_in_greenwich() -> None:
    late = Moment.from_datetime(datetime(2026, 10, 16, 0, 30, tzinfo=ZoneInfo("Asia/Tokyo")))
    found = find_window("yesterday", "en", late)
    assert found is not None
    assert found.window.first == date(2026, 10, 15)


def test_the_span_names_the_words_of_the_message() -> None:
    text = "Quelles fautes j'ai faites  en août ?"
    found = find_window(text, "fr", NOW)
    assert found is not None
    assert text[found.first : found.last] == "en août"


def test_part_of_a_month_is_soft() -> None:
    found = find_window("late march", "en", NOW)
    assert found is not None
    assert found.soft


@given(
    st.sampled_from(LANGUAGES),
    st.datetimes(datetime(2005, 1, 1), datetime(2060, 1, 1)),
    st.data(),
)
def test_a_window_without_a_year_starts_in_the_past_and_ends_by_today(
    language: str, at: datetime, data: st.DataObject
) -> None:
    words = calendar(language)
    months = data.draw(st.lists(st.sampled_from(sorted(words.months)), min_size=1, max_size=2))
    day = data.draw(st.integers(0, 40))
    text = data.draw(st.sampled_from(["{0}", "{1} {0}", "{0} - {2}", "{1} {0} {2}"])).format(months[0], day, months[-1])
    now = Moment.from_datetime(at.replace(tzinfo=ZoneInfo("UTC")))
    found = find_window(text, language, now)
    if found is not None:
        assert found.window.first <= found.window.last <= now.day


@given(st.text(max_size=60), st.sampled_from(LANGUAGES))
def test_no_text_breaks_the_reading_of_dates(text: str, language: str) -> None:
    found = find_window(text, language, NOW)
    if found is not None:
        assert found.window.first <= found.window.last
        assert found.window.first > NOW.day - timedelta(days=13 * 366)
