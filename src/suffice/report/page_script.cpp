// What a report does when it is touched: sorts and unfolds its tables, reads out places in its charts, moves a
// threshold, filters its mistakes. Without scripts the page shows all it has.
//
// Nothing is ever made from text that holds markup: names go in as text. The page allows this one script by its hash
// (tests/cli/test_report_page.py holds the two together).
#include "suffice/report/page_script.hpp"

namespace suffice {

std::string_view page_script() {
    return R"js((() => {
'use strict';
const root = document.documentElement;
root.classList.add('js');
const make = (tag, words, parent, attributes) => {
  const it = document.createElement(tag);
  if (words) it.textContent = words;
  for (const name in attributes || {}) it.setAttribute(name, attributes[name]);
  if (parent) parent.append(it);
  return it;
};
const value = cell => {
  const words = cell.textContent.trim().replace(/(\d),(?=\d{3})/g, '$1');
  const number = parseFloat(words);
  return words === '' ? null : Number.isNaN(number) ? words.toLowerCase() : number;
};
const before = (a, b) => a === null ? 1 : b === null ? -1
  : typeof a === typeof b ? (a < b ? -1 : a > b ? 1 : 0) : typeof a === 'number' ? -1 : 1;
for (const table of document.querySelectorAll('table.sorts')) {
  const body = table.tBodies[0];
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    const button = make('button', head.textContent, null, {type: 'button', title: 'Sort by this column'});
    head.textContent = '';
    head.append(button);
    button.addEventListener('click', () => {
      const down = head.getAttribute('aria-sort') === 'ascending';
      for (const other of table.tHead.rows[0].cells) other.removeAttribute('aria-sort');
      head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
      const rows = [...body.rows].map(row => [value(row.cells[column]), row]);
      rows.sort((a, b) => a[0] === null || b[0] === null ? before(a[0], b[0]) : (down ? -1 : 1) * before(a[0], b[0]));
      for (const [, row] of rows) body.append(row);
      fold(table);
    });
  });
}
function fold(table) {
  const most = Number(table.dataset.fold || 0);
  if (!most || table.classList.contains('all')) return;
  [...table.tBodies[0].rows].forEach((row, k) => { row.hidden = k >= most; });
}
for (const table of document.querySelectorAll('table[data-fold]')) {
  fold(table);
  const count = table.tBodies[0].rows.length;
  const button = make('button', 'Show all ' + count, null, {type: 'button', class: 'unfold', 'aria-expanded': 'false'});
  table.after(button);
  button.addEventListener('click', () => {
    const all = table.classList.toggle('all');
    button.textContent = all ? 'Show fewer' : 'Show all ' + count;
    button.setAttribute('aria-expanded', String(all));
    for (const row of table.tBodies[0].rows) row.hidden = false;
    fold(table);
  });
}
const told = make('div', '', document.body, {id: 'told', role: 'status', hidden: ''});
for (const chart of document.querySelectorAll('svg[data-x]')) {
  const [left, right] = chart.dataset.x.split(' ').map(Number), [low, high] = chart.dataset.y.split(' ').map(Number);
  const name = (words, other) => words || other;
  const short = number => String(Number(number.toPrecision(4)));
  chart.addEventListener('pointermove', event => {
    const box = chart.getBoundingClientRect();
    const x = left + (event.clientX - box.left) / box.width * (right - left);
    const y = high - (event.clientY - box.top) / box.height * (high - low);
    const title = event.target.closest('g') && event.target.closest('g').querySelector(':scope > title');
    told.textContent = name(chart.dataset.xTitle, 'x') + ' ' + short(x) + ', ' + name(chart.dataset.yTitle, 'y') + ' ' +
      short(y) + (title ? ' \u2013 ' + title.textContent : '');
    told.hidden = false;
    told.style.left = Math.min(event.clientX + 14, innerWidth - told.offsetWidth - 8) + 'px';
    told.style.top = Math.min(event.clientY + 14, innerHeight - told.offsetHeight - 8) + 'px';
  });
  chart.addEventListener('pointerleave', () => { told.hidden = true; });
}
for (const place of document.querySelectorAll('.thresholds')) {
  const data = JSON.parse(place.querySelector('script').textContent);
  const line = make('p', '', place);
  const pick = make('select', '', make('label', 'Say yes to ', line), {name: 'class'});
  data.forEach((each, k) => make('option', each.class, pick, {value: k}));
  pick.value = String(data.length === 2 ? 1 : 0);
  const slide = make('input', '', make('label', ' where its probability is at least ', line),
    {type: 'range', min: 0, max: 1, step: 0.005, value: 0.5, name: 'threshold'});
  const shown = make('output', '', line);
  const table = make('table', '', make('div', '', place, {class: 'scroll'}));
  const show = () => {
    const each = data[pick.value], at = Number(slide.value);
    let k = 0;
    while (k < each.threshold.length && each.threshold[k] >= at) ++k;
    const right = k ? each.right[k - 1] : 0, wrong = k ? each.wrong[k - 1] : 0;
    const missed = each.of_class - right, spared = each.of_others - wrong;
    const share = (a, b) => b > 0 ? (100 * a / b).toFixed(1) + ' %' : 'undefined';
    shown.textContent = ' ' + at.toFixed(3);
    table.textContent = '';
    for (const [name, number] of [['found (true positives)', right], ['false alarms', wrong], ['missed', missed],
      ['rightly left (true negatives)', spared], ['precision', share(right, right + wrong)],
      ['recall', share(right, each.of_class)], ['false positive rate', share(wrong, each.of_others)],
      ['accuracy of this yes or no', share(right + spared, each.of_class + each.of_others)]]) {
      const row = make('tr', '', table);
      make('th', name, row, {scope: 'row'});
      make('td', typeof number === 'number' ? String(Math.round(number * 100) / 100) : number, row, {class: 'r'});
    }
  };
  pick.addEventListener('change', show);
  slide.addEventListener('input', show);
  show();
}
for (const cards of document.querySelectorAll('.filtered')) {
  const all = [...cards.children], line = make('p', 'Show ', null, {class: 'filter'});
  cards.before(line);
  const picks = {};
  const count = make('output', '');
  const show = () => {
    let left = 0;
    for (const card of all) {
      card.hidden = Object.keys(picks).some(key => picks[key].value !== '' && card.dataset[key] !== picks[key].value);
      left += card.hidden ? 0 : 1;
    }
    count.textContent = ' ' + left + ' of ' + all.length;
  };
  for (const key of ['truth', 'answer']) {
    const pick = picks[key] = make('select', '', make('label', key === 'truth' ? 'in truth ' : ' taken for ', line), {name: key});
    make('option', 'any', pick, {value: ''});
    for (const name of [...new Set(all.map(card => card.dataset[key]))].sort()) make('option', name, pick, {value: name});
    pick.addEventListener('change', show);
  }
  line.append(count);
  show();
}
})();
)js";
}

// openssl dgst -sha256 -binary | base64 of the script above.
std::string_view page_script_hash() { return "nUZajWtOuziQWINhlwjqcc1lk8rlzYEmFE34IdxIaLY="; }

}  // namespace suffice
