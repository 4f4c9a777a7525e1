"""Parts of a period, dates as CLDR writes them, and laws of time windows, as of Thursday 15 October 2026 in Paris."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import Any

import pytest
from babel import Locale
from babel.dates import format_date, format_skeleton, format_timedelta
from hypothesis import given
from hypothesis import strategies as st

from memory.calendar_spans import week_of
from memory.moments import Moment
from memory.windows import find_window
from memory.words import LANGUAGES

NOW = Moment.parse("2026-10-15T17:00:00+02:00")
QUESTIONS = """
en | what did we do the week before last | 2026-09-28..2026-10-04
en | what did I miss between the 3rd and the 9th | 2026-10-03..2026-10-09
en | what did I get wrong in the first half of September | 2026-09-01..2026-09-15
en | what did we see last spring | 2026-03-01..2026-05-31
en | errors on 2026-09-04 | 2026-09-04
en | what did we do a fortnight ago | 2026-09-28..2026-10-04
en | what did i get wrong the first week of september | 2026-08-31..2026-09-06
en | what did we cover in the last three months | 2026-07-15..2026-10-15
en | what did we study from June 12 to June 20 | 2026-06-12..2026-06-20
en | what did I miss the first Monday of September | 2026-09-07
en | what did we do two Fridays ago | 2026-10-02
en | mistakes at the beginning of the month | 2026-10-01..2026-10-10
en | what did we cover from the 1st of September until now | 2026-09-01..2026-10-15
en | what did we cover on Tues 6 Oct | 2026-10-06
en | errors since mid september | 2026-09-11..2026-10-15
en | what did I get wrong from Monday to Wednesday | 2026-10-12..2026-10-14
en | what did we do in the last week of August | 2026-08-24..2026-08-30
en | mistakes I made on the 3rd of last month | 2026-09-03
en | what did we do in the first half of the year | 2026-01-01..2026-06-30
en | what were my mistakes at the end of the week | 2026-10-09..2026-10-11
en | show what we did between January and March 2025 | 2025-01-01..2025-03-31
en | what did we do over the last few weeks | 2026-09-24..2026-10-15
fr | mes erreurs à la mi-mars | 2026-03-11..2026-03-20
fr | ce qu'on a vu depuis mardi | 2026-10-13..2026-10-15
fr | ce qu'on a fait au printemps dernier | 2026-03-01..2026-05-31
fr | qu'est-ce qu'on a vu il y a une quinzaine de jours | 2026-09-28..2026-10-04
fr | mes fautes du vingt-deux juin | 2026-06-22
fr | mes erreurs de fin septembre | 2026-09-21..2026-09-30
fr | le premier lundi de septembre on a vu quoi | 2026-09-07
fr | qu'est-ce que j'ai raté mardi de la semaine dernière | 2026-10-06
fr | qu'a-t-on vu il y a deux mois | 2026-08-01..2026-08-31
fr | mes erreurs depuis la mi septembre | 2026-09-11..2026-10-15
fr | de lundi à mercredi on a vu quoi | 2026-10-12..2026-10-14
fr | qu'a-t-on fait la dernière semaine d'août | 2026-08-24..2026-08-30
fr | mes fautes le 3 du mois dernier | 2026-09-03
fr | on a fait quoi en juillet août | 2026-07-01..2026-08-31
fr | mes erreurs du lundi 5 octobre | 2026-10-05
fr | ce qu'on a vu la première quinzaine d'août | 2026-08-01..2026-08-15
fr | ce que j'ai raté le mois d'avant le mois dernier | 2026-08-01..2026-08-31
fr | on a vu quoi depuis le 1er septembre | 2026-09-01..2026-10-15
es | qué hicimos la semana antepasada | 2026-09-28..2026-10-04
es | qué fallé entre el 3 y el 9 | 2026-10-03..2026-10-09
es | mis fallos de la primera mitad de septiembre | 2026-09-01..2026-09-15
es | mis errores de hace quince días | 2026-09-30
es | mis errores del 22 | 2026-09-22
es | que hicimos la primera semana de septiembre | 2026-08-31..2026-09-06
es | qué vimos a principios de mes | 2026-10-01..2026-10-10
es | que vimos en los últimos tres meses | 2026-07-15..2026-10-15
es | del 12 al 20 de junio qué hicimos | 2026-06-12..2026-06-20
es | que estudiamos el mes antepasado | 2026-08-01..2026-08-31
es | mis errores desde mediados de septiembre | 2026-09-11..2026-10-15
es | de lunes a miércoles qué vimos | 2026-10-12..2026-10-14
es | que hicimos la última semana de agosto | 2026-08-24..2026-08-30
es | mis fallos el 3 del mes pasado | 2026-09-03
es | en qué fallé el lunes 5 de octubre | 2026-10-05
es | lo que vimos la segunda quincena de agosto | 2026-08-16..2026-08-31
es | que vimos anteayer | 2026-10-13
es | qué vimos en la semana del 21 | 2026-09-21..2026-09-27
es | errores del 1 de septiembre hasta hoy | 2026-09-01..2026-10-15
ar | أخطائي في منتصف مارس | 2026-03-11..2026-03-20
ar | ماذا درسنا منذ الثلاثاء | 2026-10-13..2026-10-15
ar | ماذا درسنا في الربيع الماضي | 2026-03-01..2026-05-31
ar | أخطائي يوم ٢٢ | 2026-09-22
ar | ماذا فعلنا في الأسبوع الأول من سبتمبر | 2026-08-31..2026-09-06
ar | شو درسنا بداية الشهر | 2026-10-01..2026-10-10
ar | ماذا درسنا في الأشهر الثلاثة الأخيرة | 2026-07-15..2026-10-15
ar | ايه اللي درسناه من شهرين | 2026-08-01..2026-08-31
ar | أخطائي في حزيران | 2026-06-01..2026-06-30
ar | ماذا درسنا في الربع الثاني من السنة | 2026-04-01..2026-06-30
ar | أخطائي منذ منتصف سبتمبر | 2026-09-11..2026-10-15
ar | ماذا درسنا في آخر أسبوع من أغسطس | 2026-08-24..2026-08-30
ar | شو درسنا الاثنين ٥ تشرين الأول | 2026-10-05
ar | عملنا ايه الشهر اللي قبل اللي فات | 2026-08-01..2026-08-31
ar | ماذا درسنا بين يناير ومارس | 2026-01-01..2026-03-31
ar | واش درنا السيمانة اللي فاتت | 2026-10-05..2026-10-11
ar | شو غلطت مبارح | 2026-10-14
ar | أخطائي من 1 سبتمبر إلى اليوم | 2026-09-01..2026-10-15
ar | أخطائي في أواخر آب | 2026-08-21..2026-08-31
de | meine Fehler Mitte März | 2026-03-11..2026-03-20
de | was haben wir seit Dienstag gemacht | 2026-10-13..2026-10-15
de | meine Fehler in der ersten Hälfte des Septembers | 2026-09-01..2026-09-15
de | meine Fehler vor vierzehn Tagen | 2026-10-01
de | meine Fehler am zweiundzwanzigsten Juni | 2026-06-22
de | meine Fehler Ende letzten Monats | 2026-09-21..2026-09-30
de | am ersten Montag im September, was haben wir gemacht | 2026-09-07
de | was hatte ich Dienstag letzter Woche falsch | 2026-10-06
de | was haben wir vor zwei Monaten gemacht | 2026-08-01..2026-08-31
de | meine Fehler im zweiten Quartal | 2026-04-01..2026-06-30
de | meine Fehler seit Mitte September | 2026-09-11..2026-10-15
de | von Montag bis Mittwoch, was haben wir gemacht | 2026-10-12..2026-10-14
de | was haben wir in der letzten Augustwoche gemacht | 2026-08-24..2026-08-30
de | meine Fehler am Montag, dem 5. Oktober | 2026-10-05
de | was haben wir am Monatsanfang gemacht | 2026-10-01..2026-10-10
de | was hab ich am 3. letzten Monats falsch gemacht | 2026-09-03
de | was haben wir vom 1. September bis heute gemacht | 2026-09-01..2026-10-15
de | meine Fehler in der Woche vom 21. September | 2026-09-21..2026-09-27
de | was haben wir im August gemacht | 2026-08-01..2026-08-31
it | i miei errori a metà marzo | 2026-03-11..2026-03-20
it | cosa abbiamo visto da martedì | 2026-10-13..2026-10-15
it | cosa abbiamo fatto la primavera scorsa | 2026-03-01..2026-05-31
it | i miei errori del 22 | 2026-09-22
it | cosa abbiamo fatto la prima settimana di settembre | 2026-08-31..2026-09-06
it | cosa abbiamo visto a inizio mese | 2026-10-01..2026-10-10
it | cosa abbiamo visto negli ultimi tre mesi | 2026-07-15..2026-10-15
it | dal 12 al 20 giugno cosa abbiamo fatto | 2026-06-12..2026-06-20
it | cosa abbiamo visto la penultima settimana | 2026-09-28..2026-10-04
it | i miei errori da metà settembre | 2026-09-11..2026-10-15
it | da lunedì a mercoledì cosa abbiamo visto | 2026-10-12..2026-10-14
it | cosa abbiamo fatto l'ultima settimana di agosto | 2026-08-24..2026-08-30
it | i miei errori di lunedì 5 ottobre | 2026-10-05
it | cosa abbiamo visto nella settimana del 21 | 2026-09-21..2026-09-27
it | i miei errori il 3 del mese scorso | 2026-09-03
it | cosa abbiamo visto dal 1 settembre a oggi | 2026-09-01..2026-10-15
it | cosa abbiamo fatto ieri l'altro | 2026-10-13
it | i miei errori di fine agosto | 2026-08-21..2026-08-31
pt | o que fizemos na semana retrasada | 2026-09-28..2026-10-04
pt | o que errei entre o dia 3 e o dia 9 | 2026-10-03..2026-10-09
pt | meus erros da primeira metade de setembro | 2026-09-01..2026-09-15
pt | meus erros de há quinze dias | 2026-09-30
pt | meus erros de vinte e dois de junho | 2026-06-22
pt | meus erros do final do mês passado | 2026-09-21..2026-09-30
pt | na primeira segunda-feira de setembro o que vimos | 2026-09-07
pt | o que errei terça da semana passada | 2026-10-06
pt | o que fizemos dois meses atrás | 2026-08-01..2026-08-31
pt | meus erros em agosto | 2026-08-01..2026-08-31
pt | meus erros desde meados de setembro | 2026-09-11..2026-10-15
pt | de segunda a quarta o que vimos | 2026-10-12..2026-10-14
pt | o que fizemos na última semana de agosto | 2026-08-24..2026-08-30
pt | meus erros de segunda-feira, 5 de outubro | 2026-10-05
pt | o que vimos na segunda quinzena de agosto | 2026-08-16..2026-08-31
pt | o que errei no dia 3 do mês passado | 2026-09-03
pt | o que vimos de 1 de setembro até hoje | 2026-09-01..2026-10-15
pt | o que vimos na semana do dia 21 | 2026-09-21..2026-09-27
pt | o que fizemos no mês retrasado | 2026-08-01..2026-08-31
"""
NO_DATES = """
en | question 12 and the 22nd exercise, what did i get wrong
fr | mes erreurs à l'exercice 12
es | mis errores en el ejercicio 12
ar | أخطائي في التمرين ١٢
de | meine Fehler in Aufgabe 12
it | i miei errori nell'esercizio 12
pt | meus erros no exercício 12
en | what is the 3rd question
en | I got 12/20 on the 22nd exercise
fr | la racine de 9 est le 3
fr | les questions du 3 au 9
es | los ejercicios del 3 al 9
it | gli esercizi dal 3 al 9
pt | o exercício 22
de | Kapitel 3 bis 9
en | the rest of the week
en | later this month
fr | au deuxième trimestre
es | dentro de diez días
de | der erste Teil
en | the first week of the July Crisis
"""
LOCALES = ("en_GB", "fr", "es", "es_MX", "ar", "ar_EG", "ar_MA", "ar_SY", "de", "de_AT", "it", "pt", "pt_PT")
FORMATS = ("full", "long", "medium", "short", "yMd", "yMMMd", "yMMMMd", "yMMMEd")


def rows(block: str) -> list[list[str]]:
    return [[part.strip() for part in line.split(" | ")] for line in block.strip().splitlines()]


def window(text: str, language: str, now: Moment = NOW) -> tuple[date, date] | None:
    found = find_window(text, language, now)
    return (found.window.first, found.window.last) if found else None


def on(day: date) -> Moment:
    return Moment.parse(f"{day.isoformat()}T12:00:00+00:00")


@pytest.mark.parametrize(("language", "text", "wanted"), rows(QUESTIONS))
def test_a_question_about_a_part_of_the_past_gives_its_days(language: str, text: str, wanted: str) -> None:
    first, _, last = wanted.partition("..")
    assert window(text, language) == (date.fromisoformat(first), date.fromisoformat(last or first))


@pytest.mark.parametrize(("language", "text"), rows(NO_DATES))
def test_a_number_that_is_no_day_gives_no_window(language: str, text: str) -> None:
    assert window(text, language) is None


@given(st.sampled_from(LOCALES), st.sampled_from(FORMATS), st.dates(date(2019, 1, 1), date(2026, 10, 15)))
def test_a_date_as_the_language_writes_it_is_that_day(locale: str, form: str, day: date) -> None:
    written: Any = format_skeleton(form, day, locale=locale) if form[0] == "y" else None
    text = written or format_date(day, form, locale=locale)  # type: ignore[arg-type]
    assert window(text, locale[:2]) == (day, day)


@given(st.sampled_from(LOCALES), st.dates(date(2019, 1, 1), date(2026, 9, 30)))
def test_a_month_as_the_language_writes_it_is_that_month(locale: str, day: date) -> None:
    found = window(format_skeleton("yMMMM", day, locale=locale), locale[:2])
    assert found is not None
    assert found[0] == day.replace(day=1)
    assert found[1] + timedelta(days=1) == (day.replace(day=1) + timedelta(days=32)).replace(day=1)


@given(st.sampled_from(LOCALES), st.integers(1, 6), st.dates(date(2020, 1, 1), date(2030, 1, 1)))
def test_so_many_days_or_weeks_ago_as_the_language_says_it(locale: str, count: int, today: date) -> None:
    past = timedelta(days=-count)
    days = format_timedelta(past, granularity="day", threshold=1000, add_direction=True, locale=locale)
    weeks = format_timedelta(past * 7, granularity="week", threshold=1000, add_direction=True, locale=locale)
    assert window(days, locale[:2], on(today)) == (today + past, today + past)
    if count <= 4:  # Babel counts in the largest unit that fits
        assert window(weeks, locale[:2], on(today)) == week_of(today + past * 7)


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("unit", ["day", "week", "month", "year"])
def test_the_languages_own_words_for_the_last_and_the_present_unit_are_read(locale: str, unit: str) -> None:
    said = Locale.parse(locale)._data["date_fields"][unit]["relative"]
    today = NOW.day
    spans = {
        "day": {0: (today, today), -1: (date(2026, 10, 14), date(2026, 10, 14)), -2: (date(2026, 10, 13),) * 2},
        "week": {0: (date(2026, 10, 12), today), -1: (date(2026, 10, 5), date(2026, 10, 11))},
        "month": {0: (date(2026, 10, 1), today), -1: (date(2026, 9, 1), date(2026, 9, 30))},
        "year": {0: (date(2026, 1, 1), today), -1: (date(2025, 1, 1), date(2025, 12, 31))},
    }
    for back, wanted in spans[unit].items():
        if back in said:
            assert window(said[back], locale[:2]) == wanted, said[back]


@given(
    st.sampled_from([row for row in rows(QUESTIONS) if not re.search(r"\d{4}", row[1])]),
    st.dates(date(2015, 1, 1), date(2040, 1, 1)),
    st.sampled_from([1, 7, 30, 365]),
)
def test_a_window_lies_in_the_past_or_now_and_never_moves_back_as_days_go_by(
    row: list[str], today: date, later: int
) -> None:
    found = window(row[1], row[0], on(today))
    after = window(row[1], row[0], on(today + timedelta(days=later)))
    for span, day in ((found, today), (after, today + timedelta(days=later))):
        if span is not None:
            assert span[0] <= span[1] <= day
    if found is not None and after is not None:
        assert found[0] <= after[0]


@given(st.text(max_size=50), st.sampled_from(rows(QUESTIONS)), st.sampled_from(LANGUAGES))
def test_whatever_stands_around_a_date_its_window_is_past(text: str, row: list[str], language: str) -> None:
    found = window(f"{text} {row[1]} {text}", language)
    if found is not None:
        assert found[0] <= found[1]
