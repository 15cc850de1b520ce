// Laurel's elements in the sidebar of the index and of profiles, and the switch to hide in the member's settings, in
// Flarum 1 and 2. Flarum wraps this file into a module.
app.initializers.add('laurel', function () {
  var asked = false;
  var names = { board: 'laurel-board', friends: 'laurel-board', standing: 'laurel-standing', days: 'laurel-heatmap', hot: 'laurel-hot', winners: 'laurel-winners' };
  var own = ['friends', 'standing', 'days'];
  var mine = {}; // Laurel's data of the member who sees the page of settings

  // Makes the browser load the module, and keeps room for its content.
  function load(url) {
    if (asked) return;
    asked = true;
    var room = ':is(laurel-board, laurel-standing, laurel-heatmap, laurel-hot, laurel-winners):not(:defined) { display: block; min-height: var(--laurel-room, 31em); background: repeating-linear-gradient(#0000 0 2.5em, #8883 0 2.58em); animation: laurel 0s 9s forwards } ' +
      '@keyframes laurel { to { min-height: 0; background: none } }';
    document.head.append(Object.assign(document.createElement('style'), { textContent: room }));
    document.head.append(Object.assign(document.createElement('script'), { type: 'module', src: url + '/embed/laurel.js' }));
  }
  // Returns how high an element will be, so that nothing moves when it is there.
  function room(kind, is) {
    var rows = Math.min(10, is.limit || 10);
    var fixed = { standing: 1.6, days: 12, hot: 3.7 * rows, winners: 8 * Math.min(3, rows) };
    var board = { compact: 2.04 * rows + 3, podium: 2.64 * rows + 7.5, table: 2.64 * rows + 5 };
    return Number((fixed[kind] || board[is.layout] + (is.user ? 6 : 0)).toFixed(1)) + 'em';
  }
  // Adds the elements of a place. The forum and the session are there only once a page is shown.
  function add(items, place) {
    var url = (app.forum.attribute('laurelUrl') || '').replace(/\/+$/, '');
    if (!url) return items;
    load(url);
    var first = { board: { place: 'sidebar', board: app.forum.attribute('laurelBoard') || 'activity', windows: 'day month', layout: 'compact' } };
    var chosen = JSON.parse(app.forum.attribute('laurelElements') || 'null') || first;
    Object.keys(chosen).forEach(function (kind, i) {
      var attrs = Object.assign({}, chosen[kind]);
      if (attrs.place !== place || (!app.session.user && own.indexOf(kind) >= 0)) return;
      delete attrs.place;
      if (app.session.user && kind !== 'winners') Object.assign(attrs, { user: app.session.user.id(), 'token-url': app.forum.attribute('baseUrl') + '/laurel/token' });
      if (kind === 'friends') attrs.friends = 'friends';
      items.add('laurel-' + kind, m(names[kind], Object.assign(attrs, { style: '--laurel-room:' + room(kind, attrs) })), -20 - i);
    });
    return items;
  }
  function ask(body) {
    mine.waits = true;
    var options = { method: body ? 'POST' : 'GET', url: app.forum.attribute('apiUrl') + '/laurel/visibility' };
    return app.request(body ? Object.assign(options, { body: body }) : options).then(function (is) {
      mine = { known: is.known, state: is.state || (body && mine.state), unheard: is.known && !is.state };
      m.redraw();
    }, function () {
      mine = { known: true, state: mine.state, unheard: true };
      m.redraw();
    });
  }
  // Adds the switch, for nobody but the member.
  function hide(items, page) {
    if (!app.forum.attribute('laurelUrl') || page.user !== app.session.user) return items;
    if (mine.known === undefined && !mine.waits) ask();
    var trans = function (key) { return app.translator.trans('laurel-leaderboards.forum.' + key); };
    if (mine.known) items.add('laurel', m('div.Form-group', [
      mine.state && m('label.checkbox', [
        m('input', { type: 'checkbox', checked: mine.state === 'shown', disabled: !!mine.waits, onchange: function (e) { ask({ shown: e.target.checked }); } }),
        trans('show_me'), m('span.helpText', trans('show_me_explain')),
      ]),
      mine.unheard && m('p', { role: 'alert' }, trans('unheard')),
    ]), -10);
    return items;
  }
  function extend(component, method, more) {
    var before = component.prototype[method];
    component.prototype[method] = function () {
      return more(before.apply(this, arguments), this);
    };
  }
  var sidebar = function (items) { return add(items, 'sidebar'); };
  var profile = function (items) { return add(items, 'profile'); };
  var fresh = function (done) { mine = {}; return done; };
  [['IndexSidebar', 'items', sidebar, 2], ['IndexPage', 'sidebarItems', sidebar, 1], ['UserPage', 'sidebarItems', profile], ['SettingsPage', 'privacyItems', hide], ['SettingsPage', 'oninit', fresh]].forEach(function (of) {
    if (of[3] && of[3] !== (flarum.reg ? 2 : 1)) return;
    if (flarum.reg) flarum.reg.onLoad('core', 'forum/components/' + of[0], function (loaded) { extend(loaded.default || loaded, of[1], of[2]); });
    else extend(flarum.core.compat['forum/components/' + of[0]] || flarum.core.compat['components/' + of[0]], of[1], of[2]);
  });
});

module.exports = {}; // Flarum reads it, and no script of the page runs on without it
