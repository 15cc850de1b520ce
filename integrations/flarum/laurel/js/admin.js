// The page of settings, in Flarum 1 and 2: pairing, how reporting is, and what can be set by hand.
app.initializers.add('laurel', function () {
  var trans = function (key, values) { return app.translator.trans('laurel-leaderboards.admin.' + key, values); };
  var page = (app.registry || app.extensionData)['for']('laurel-leaderboards');
  var given = { url: '', code: '' };
  var said;
  function ask(method) {
    said = said || '';
    var options = { method: method, url: app.forum.attribute('apiUrl') + '/laurel/pair' };
    return app.request(method === 'POST' ? Object.assign(options, { body: given }) : options).then(function (is) {
      var when = is.last ? trans('ago', { seconds: is.last }) : trans('no_report');
      var how = is.paired ? [when, ', ', trans('waiting', { count: is.waiting }), is.trouble ? ' ' : '', is.trouble ? trans(is.trouble) : ''] : trans('unpaired');
      said = is.wrong ? trans(is.wrong) : how;
      m.redraw();
    });
  }
  function field(name, type, placeholder) {
    return m('input.FormControl', { type: type, placeholder: placeholder, autocomplete: 'off', 'aria-label': trans(name), value: given[name], oninput: function (e) { given[name] = e.target.value; } });
  }
  page.registerSetting(function () {
    if (said === undefined) ask('GET');
    return m('div.Form-group', [
      m('label', trans('pairing')), m('p.helpText', trans('explain')),
      field('url', 'url', 'https://boards.forum.example'), field('code', 'text', 'ACDE-FHJK-MNPQ'),
      m('button.Button.Button--primary', { type: 'button', onclick: function () { ask('POST'); } }, trans('pair')),
      m('p', { role: 'status' }, said),
    ]);
  }, 10);
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
