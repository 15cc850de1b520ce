// Runs the extension's scripts as Flarum does: initializers first, then the forum and the session.
// node browser.js VERSION: prints the contents of the sidebar and of the page of settings, as JSON.
const fs = require('fs');
const path = require('path');

const second = process.argv[2] === '2';
const initializers = [];
class Sidebar {
  items() { return items(); }
  sidebarItems() { return items(); }
  privacyItems() { return items(); }
  oninit() {}
}
class Profile extends Sidebar {}
class Settings extends Sidebar {}
const components = { IndexSidebar: Sidebar, IndexPage: Sidebar, UserPage: Profile, SettingsPage: Settings };
const items = () => ({ all: {}, add(name, content) { this.all[name] = content; } });
const settings = [];
const registry = { for(id) { settings.push(id); return this; }, registerSetting(s) { settings.push(typeof s === 'function' ? s : s.setting + ' ' + s.type + ' ' + s.label); return this; } };
const head = [];
global.document = { documentElement: { lang: 'en' }, head: { append: (e) => head.push(e.textContent || e.type + ' ' + e.src) }, createElement: () => ({}) };
const plain = (attrs) => attrs && attrs.constructor === Object;
global.m = Object.assign((tag, attrs, inner) => (plain(attrs) ? { tag, attrs, inner } : { tag, inner: attrs }), { redraw() {} });
global.flarum = second ? { reg: { onLoad: (space, id, loaded) => setImmediate(() => loaded(components[id.split('/').pop()])) } } : { core: { compat: Object.fromEntries(Object.entries(components).map(([name, of]) => ['components/' + name, of])) } };
global.app = { translator: { trans: (key) => key }, initializers: { add: (name, run) => initializers.push(run) }, [second ? 'registry' : 'extensionData']: registry };
const asked = [];
let away = false;
app.request = async (options) => { // of an administrator's page
  asked.push(JSON.stringify(options));
  const differ = [{ user: '7', should: 3, has: 0, differences: [{ kind: 'missing', action: 'comment', target: 't1', ref: 'p2', forum: '2026-11-02' }, { kind: 'points', forum: '42' }] }];
  const is = { wrong: '', paired: true, waiting: 2, last: 12, trouble: 'no_answer', compared: { at: 1, since: 1, number: 1, wrong: '', actions: ['comment'], differ } };
  if (options.url.endsWith('/elements')) return { boards: [{ name: 'help', labels: { en: 'Help' } }], choices: { place: ['nowhere', 'sidebar'], window: ['day', 'month'], layout: ['table', 'compact'] }, elements: options.body || { board: { place: 'sidebar', board: 'help', windows: 'day month', layout: 'compact', limit: 10 } } };
  if (options.url.endsWith('/visibility')) {
    if (away) throw new Error('away');
    return { known: true, state: options.body ? (options.body.shown ? 'shown' : 'hidden') : 'shown' };
  }
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
const wait = () => new Promise((done) => setTimeout(() => setImmediate(done), 5));
(async () => {
  await wait();
  const shown = (user, Page) => {
    app.session = { user };
    const page = new (Page || Sidebar)();
    return (second && !Page ? page.items() : page.sidebarItems()).all;
  };
  const ann = { id: () => '7' };
  const [member, guest] = [shown(ann), shown(null)];
  attributes.laurelElements = JSON.stringify({ board: { place: 'nowhere', board: 'help' }, friends: { place: 'profile', board: 'help', windows: 'week', layout: 'table', limit: 5 }, winners: { place: 'profile', board: 'help', window: 'month', limit: 3 } });
  const [none, profile, guests] = [shown(ann), shown(ann, Profile), shown(null, Profile)];

  // The member's page of settings: the switch, a change, an outage; nobody else's.
  app.session = { user: ann };
  const page = new Settings();
  const box = (of = page) => { const it = of.privacyItems().all.laurel; return it && it.inner.map((line) => line && (line.tag === 'p' ? line.inner : line.inner[0].attrs.checked)); };
  page.user = ann;
  page.oninit();
  const hides = [box()];
  await wait();
  hides.push(box());
  page.privacyItems().all.laurel.inner[0].inner[0].attrs.onchange({ target: { checked: false } });
  await wait();
  hides.push(box());
  away = true;
  page.privacyItems().all.laurel.inner[0].inner[0].attrs.onchange({ target: { checked: true } });
  await wait();
  hides.push(box());
  const other = Object.assign(new Settings(), { user: { id: () => '8' } });
  hides.push(box(other) || 'nobody else');
  attributes.laurelUrl = '';
  const unset = shown(null);

  const form = settings[1];
  const status = () => [form().inner[5].inner, ...form().inner[6].map((line) => line.inner)];
  form();
  await wait();
  const [, , url, code, button] = form().inner;
  const said = [status()];
  url.attrs.oninput({ target: { value: 'https://b.example' } });
  code.attrs.oninput({ target: { value: 'A' } });
  button.attrs.onclick();
  await wait();
  said.push(status());
  form().inner[7].attrs.onclick();
  await wait();
  said.push(status());

  // An administrator's choices for elements.
  const choose = settings[2];
  choose();
  await wait();
  const fields = () => choose().inner[1][0].inner[1].map((row) => row.inner[1]);
  const [place, board, windows, layout, limit] = fields();
  const chosen = [place, board, layout].map((s) => [s.tag, s.attrs.value, s.inner.map((o) => o.inner)]);
  chosen.push([limit.attrs.type, limit.attrs.min, limit.attrs.max]);
  place.attrs.onchange({ target: { value: 'nowhere' } });
  windows.inner[0].inner[0].attrs.onchange({ target: { checked: false } });
  choose().inner[2].attrs.onclick();
  await wait();
  chosen.push(choose().inner[3].inner);
  console.log(JSON.stringify({ member, guest, none, profile, guests, hides, unset, head, settings: settings.filter((s) => typeof s === 'string'), said, chosen, asked }, null, 1));
})();
