// Runs the extension's scripts as Flarum does: initializers first, then the forum and the session.
// node browser.js VERSION: prints what is in the sidebar and on the page of settings, as JSON.
const fs = require('fs');
const path = require('path');

const second = process.argv[2] === '2';
const initializers = [];
class Sidebar {
  items() { return items(); }
  sidebarItems() { return items(); }
}
const items = () => ({ all: {}, add(name, content) { this.all[name] = content; } });
const settings = [];
const registry = { for(id) { settings.push(id); return this; }, registerSetting(s) { settings.push(s.setting + ' ' + s.type); return this; } };
const head = [];
global.document = { head: { append: (e) => head.push(e.type + ' ' + e.src) }, createElement: () => ({}) };
global.m = (tag, attrs) => ({ tag, attrs });
global.flarum = second ? { reg: { onLoad: (space, id, loaded) => setImmediate(() => loaded(Sidebar)) } } : { core: { compat: { 'components/IndexPage': Sidebar } } };
global.app = { translator: { trans: (key) => key }, initializers: { add: (name, run) => initializers.push(run) }, [second ? 'registry' : 'extensionData']: registry };
for (const name of ['forum', 'admin']) {
  new Function('module', fs.readFileSync(path.join(__dirname, '../laurel/js', name + '.js'), 'utf8'))({ exports: {} });
}
initializers.forEach((run) => run());
const attributes = { laurelUrl: 'https://laurel.example/', laurelBoard: 'help', baseUrl: 'https://forum.example' };
app.forum = { attribute: (name) => attributes[name] };
setImmediate(() => {
  const shown = (user) => {
    app.session = { user };
    return (second ? new Sidebar().items() : new Sidebar().sidebarItems()).all.laurel;
  };
  const member = shown({ id: () => '7' });
  const guest = shown(null);
  attributes.laurelUrl = '';
  console.log(JSON.stringify({ member, guest, unset: shown(null) || null, head, settings }));
});
