// The board in the sidebar of the index, in Flarum 1 and 2. Flarum wraps this file into a module.
app.initializers.add('laurel', function () {
  var url = (app.forum.attribute('laurelUrl') || '').replace(/\/+$/, '');
  if (!url) return;
  document.head.append(Object.assign(document.createElement('script'), { type: 'module', src: url + '/embed/laurel.js' }));

  function extend(component, method) {
    var before = component.prototype[method];
    component.prototype[method] = function () {
      var items = before.apply(this, arguments);
      var user = app.session.user;
      var attrs = { board: app.forum.attribute('laurelBoard') || 'activity', windows: 'day month', layout: 'compact' };
      if (user) Object.assign(attrs, { user: user.id(), 'token-url': app.forum.attribute('baseUrl') + '/laurel/token' });
      items.add('laurel', m('laurel-board', attrs), -20);
      return items;
    };
  }
  if (flarum.reg) {
    flarum.reg.onLoad('core', 'forum/components/IndexSidebar', function (loaded) { extend(loaded.default || loaded, 'items'); });
  } else {
    extend(flarum.core.compat['forum/components/IndexPage'] || flarum.core.compat['components/IndexPage'], 'sidebarItems');
  }
});
