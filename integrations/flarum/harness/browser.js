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
const registry = { for(id) { settings.push(id); return this; }, registerSetting(s) { settings.push(typeof s === 'function' ? s : s.setting + ' ' + s.type + ' ' + s.label); return this; } };
const head = [];
global.document = { head: { append: (e) => head.push(e.type + ' ' + e.src) }, createElement: () => ({}) };
const plain = (attrs) => attrs && attrs.constructor === Object;
global.m = Object.assign((tag, attrs, inner) => (plain(attrs) ? { tag, attrs, inner } : { tag, inner: attrs }), { redraw() {} });
global.flarum = second ? { reg: { onLoad: (space, id, loaded) => setImmediate(() => loaded(Sidebar)) } } : { core: { compat: { 'components/IndexPage': Sidebar } } };
global.app = { translator: { trans: (key) => key }, initializers: { add: (name, run) => initializers.push(run) }, [second ? 'registry' : 'extensionData']: registry };
const asked = [];
app.request = async (options) => { // of an administrator's page
  asked.push(JSON.stringify(options));
  const differ = [{ user: '7', should: 3, has: 0, differences: [{ kind: 'missing', action: 'comment', target: 't1', ref: 'p2', forum: '2026-11-02' }, { kind: 'points', forum: '42' }] }];
  const is = { wrong: '', paired: true, waiting: 2, last: 12, trouble: 'no_answer', compared: { at: 1, since: 1, number: 1, wrong: '', actions: ['comment'], differ } };
  if (options.method === 'GET') return is;
  return options.body.compare ? { ...is, paired: false, compared: { at: 1, wrong: 'no_answer' } } : { ...is, wrong: 'wrong_code', compared: { at: 0 } };
};
for (const name of ['forum', 'admin']) {
  const module = {};
  new Function('module', fs.readFileSync(path.join(__dirname, '../laurel/js', name + '.js'), 'utf8'))(module);
  if (module.exports.extend) throw new Error('extenders are not run here');
}
initializers.forEach((run) => run());
const words = fs.readFileSync(path.join(__dirname, '../laurel/locale/en.yml'), 'utf8');
const known = (key) => { if (!words.includes('    ' + key.split('.').pop() + ':')) throw new Error('no text ' + key); return key; };
app.translator.trans = known;
const attributes = { apiUrl: '/api', laurelUrl: 'https://laurel.example/', laurelBoard: 'help', baseUrl: 'https://forum.example' };
app.forum = { attribute: (name) => attributes[name] };
setImmediate(() => {
  const shown = (user) => {
    app.session = { user };
    return (second ? new Sidebar().items() : new Sidebar().sidebarItems()).all.laurel;
  };
  const member = shown({ id: () => '7' });
  const guest = shown(null);
  attributes.laurelUrl = '';
  const unset = shown(null) || null;
  const form = settings[1];
  const page = () => [form().inner[5].inner, ...form().inner[6].map((line) => line.inner)];
  form();
  setImmediate(() => {
    const [, , url, code, button] = form().inner;
    const said = [page()];
    url.attrs.oninput({ target: { value: 'https://b.example' } });
    code.attrs.oninput({ target: { value: 'A' } });
    button.attrs.onclick();
    setImmediate(() => {
      said.push(page());
      form().inner[7].attrs.onclick();
      setImmediate(() => {
        said.push(page());
        console.log(JSON.stringify({ member, guest, unset, head, settings: settings.filter((s) => s !== form), said, asked }));
      });
    });
  });
});
