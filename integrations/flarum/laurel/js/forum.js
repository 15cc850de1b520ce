// The board in the sidebar of the index, in Flarum 1 and 2. Flarum wraps this file into a module.
app.initializers.add('laurel', function () {
  var asked = false;

  // Adds the board. The forum and the session are there only once a page is shown.
  function add(items) {
    var url = (app.forum.attribute('laurelUrl') || '').replace(/\/+$/, '');
    if (!url) return items;
    if (!asked) document.head.append(Object.assign(document.createElement('script'), { type: 'module', src: url + '/embed/laurel.js' }));
    asked = true;
    var attrs = { board: app.forum.attribute('laurelBoard') || 'activity', windows: 'day month', layout: 'compact' };
    if (app.session.user) Object.assign(attrs, { user: app.session.user.id(), 'token-url': app.forum.attribute('baseUrl') + '/laurel/token' });
    items.add('laurel', m('laurel-board', attrs), -20);
    return items;
  }
  function extend(component, method) {
    var before = component.prototype[method];
    component.prototype[method] = function () {
      return add(before.apply(this, arguments));
    };
  }
  if (flarum.reg) {
    flarum.reg.onLoad('core', 'forum/components/IndexSidebar', function (loaded) { extend(loaded.default || loaded, 'items'); });
  } else {
    extend(flarum.core.compat['forum/components/IndexPage'] || flarum.core.compat['components/IndexPage'], 'sidebarItems');
  }
});

module.exports = {}; // Flarum reads it, and no script of the page runs on without it
