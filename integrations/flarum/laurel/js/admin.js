// The page of settings, in Flarum 1 and 2: pairing, the state of reports, the members who differ, and settings by hand.
app.initializers.add('laurel', function () {
  var trans = function (key, values) { return app.translator.trans('laurel-leaderboards.admin.' + key, values); };
  var page = (app.registry || app.extensionData)['for']('laurel-leaderboards');
  var given = { url: '', code: '' };
  var said;
  var lines = [];
  // Returns lines: whether the board equals Flarum's tables, and the members who differ with their differences.
  function compared(is) {
    if (!is.at) return [trans('not_compared')];
    var time = new Date(is.at * 1000).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
    if (is.wrong) return [[trans('compare_failed', { time: time }), ' ', trans(is.wrong)]];
    var all = [is.number ? trans('differ', { time: time, count: is.number }) : trans('equal', { time: time }),
      trans('compared', { actions: is.actions.join(', '), since: new Date(is.since * 1000).toLocaleString() })];
    if (is.actions.indexOf('like') < 0) all.push(trans('no_likes'));
    is.differ.forEach(function (who) {
      all.push(trans('member', { name: who.name || who.user, should: who.should, has: who.has }));
      who.differences.forEach(function (d) {
        var kind = ['missing', 'undone', 'surplus', 'day'].indexOf(d.kind) < 0 ? 'other' : d.kind;
        all.push(['» ' + [d.action, d.target, d.ref, d.forum].filter(Boolean).join(' ') + ': ', trans(kind)]);
      });
    });
    return all;
  }
  function ask(body) {
    said = said || '';
    var options = { method: body ? 'POST' : 'GET', url: app.forum.attribute('apiUrl') + '/laurel/pair' };
    return app.request(body ? Object.assign(options, { body: body }) : options).then(function (is) {
      lines = compared(is.compared);
      var when = is.last ? trans('ago', { seconds: is.last }) : trans('no_report');
      var how = is.paired ? [when, ', ', trans('waiting', { count: is.waiting }), is.trouble ? ' ' : '', is.trouble ? trans(is.trouble) : ''] : trans('unpaired');
      said = is.wrong ? trans(is.wrong) : how;
      m.redraw();
    });
  }
  var show; // the possible choices for elements, and the present ones
  var kept;
  function choices(body) {
    var options = { method: body ? 'POST' : 'GET', url: app.forum.attribute('apiUrl') + '/laurel/elements' };
    return app.request(body ? Object.assign(options, { body: body }) : options).then(function (is) {
      show = is;
      kept = !!body;
      m.redraw();
    });
  }
  function title(board) {
    var lang = (document.documentElement.lang || 'en').slice(0, 2);
    return board.labels[lang] || board.labels.en || board.name;
  }
  // Returns the field for one choice of an element: a box to select, boxes to tick, or a number.
  function choice(kind, name) {
    var of = show.elements[kind];
    var label = { 'aria-label': trans('kind_' + kind) + ': ' + trans(name) };
    var set = function (e) { of[name] = e.target.value; };
    if (name === 'windows') {
      return m('div', show.choices.window.map(function (w) {
        return m('label.checkbox', [m('input', { type: 'checkbox', checked: of.windows.split(' ').indexOf(w) >= 0, onchange: function (e) {
          var all = of.windows.split(' ').filter(function (other) { return other !== w; }).concat(e.target.checked ? w : []);
          of.windows = show.choices.window.filter(function (other) { return all.indexOf(other) >= 0; }).join(' ');
        } }), trans('window_' + w)]);
      }));
    }
    if (name === 'limit') return m('input.FormControl', Object.assign(label, { type: 'number', min: 1, max: kind === 'winners' ? 31 : 100, value: of.limit, onchange: set }));
    var options = name === 'board' ? show.boards.map(function (b) { return [b.name, title(b)]; }) : show.choices[name === 'window' && kind === 'winners' ? 'ending' : name].map(function (c) { return [c, trans((name === 'window' ? 'window_' : '') + c)]; });
    return m('select.FormControl', Object.assign(label, { value: of[name], onchange: set }), options.map(function (o) { return m('option', { value: o[0] }, o[1]); }));
  }
  function field(name, type, placeholder) {
    return m('input.FormControl', { type: type, placeholder: placeholder, autocomplete: 'off', 'aria-label': trans(name), value: given[name], oninput: function (e) { given[name] = e.target.value; } });
  }
  page.registerSetting(function () {
    if (said === undefined) ask();
    return m('div.Form-group', [
      m('label', trans('pairing')), m('p.helpText', trans('explain')),
      field('url', 'url', 'https://boards.forum.example'), field('code', 'text', 'ACDE-FHJK-MNPQ'),
      m('button.Button.Button--primary', { type: 'button', onclick: function () { ask(given); } }, trans('pair')),
      m('p', { role: 'status' }, said),
      lines.map(function (line) { return m('p', line); }),
      m('button.Button', { type: 'button', onclick: function () { ask({ compare: true }); } }, trans('compare')),
    ]);
  }, 10);
  page.registerSetting(function () {
    if (!show) {
      if (show === undefined) choices();
      show = show || null;
      return null;
    }
    return m('div.Form-group', [
      m('label', trans('shown')),
      Object.keys(show.elements).map(function (kind) {
        return m('fieldset', [m('legend', trans('kind_' + kind)), Object.keys(show.elements[kind]).map(function (name) {
          return m('div', [m('span.helpText', trans(name)), choice(kind, name)]);
        })]);
      }),
      m('button.Button.Button--primary', { type: 'button', onclick: function () { choices(show.elements); } }, trans('keep')),
      m('p', { role: 'status' }, kept ? trans('kept') : ''),
    ]);
  }, 9);
  page.registerSetting({ setting: 'laurel.groups', type: 'textarea', label: trans('groups'), help: trans('groups_explain'), placeholder: 'Mods = staff' });
  [
    ['url', 'url', 'https://laurel.example'],
    ['board', 'text', 'activity'],
    ['hook_secret', 'password', ''],
    ['user_secret', 'password', ''],
  ].forEach(function (s) {
    page.registerSetting({ setting: 'laurel.' + s[0], type: s[1], label: trans(s[0]), placeholder: s[2], autocomplete: 'off' });
  });
});

module.exports = {}; // Flarum reads it, and no script of the page runs on without it
