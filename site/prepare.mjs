// SPDX-License-Identifier: Apache-2.0
// Copies the documents to site/target/source in the form that VitePress reads: a README is the first page of its folder,
// Chinese pages are in zh, and files that documents link to are beside them. Ends with an error if a document is in no
// group of pages.mjs, or a link leads nowhere.
import fs from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {groups, listed, place} from './pages.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const out = path.join(root, 'site', 'target', 'source');
const chinese = /\.zh-CN\.md$/;
const problems = [];

function documents(folder) {
  return fs.readdirSync(path.join(root, folder), {withFileTypes: true}).flatMap(entry => {
    const name = path.posix.join(folder, entry.name);
    if (entry.isDirectory()) return folder === '' && name !== 'docs' ? [] : documents(name);
    return name.endsWith('.md') ? [name] : [];
  });
}

// Other files are served as text, so that a browser shows them.
function asset(file) {
  const name = /\.(png|svg|json)$/.test(file) ? file : file + '.txt';
  const target = path.join(out, 'public', 'files', name);
  fs.mkdirSync(path.dirname(target), {recursive: true});
  fs.copyFileSync(path.join(root, file), target);
  return '/files/' + name;
}

function link(from, to) {
  const [target, anchor] = to.split('#');
  if (/^[a-z]+:/.test(to) || target === '') return to;
  const file = path.posix.join(path.posix.dirname(from), target);
  if (!fs.existsSync(path.join(root, file))) {
    problems.push(`${from}: link to nothing: ${to}`);
    return to;
  }
  if (fs.statSync(path.join(root, file)).isDirectory()) {
    return asset(path.posix.join(file, fs.readdirSync(path.join(root, file))[0]));
  }
  if (!file.endsWith('.md')) return asset(file);
  return '/' + place(file.slice(0, -3)) + '.html' + (anchor === undefined ? '' : '#' + anchor);
}

function page(file) {
  // Code has no links.
  const text = fs.readFileSync(path.join(root, file), 'utf8').split(/(^```[^]*?^```$|^    .*$)/m).map((part, i) =>
      i % 2 ? part : part.replace(/(\]\()([^)\s]+)(\))/g, (all, open, to, close) => open + link(file, to) + close));
  const target = path.join(out, place(file.slice(0, -3)) + '.md');
  fs.mkdirSync(path.dirname(target), {recursive: true});
  // The changelog has a word of everything, and would be the answer to every search.
  const head = file === 'CHANGELOG.md' ? '---\nsearch: false\n---\n\n' : '';
  fs.writeFileSync(target, head + text.join(''));
}

fs.rmSync(out, {recursive: true, force: true});
const files = documents('');
files.forEach(page);
const grouped = groups.flatMap(group => group[1]);
for (const file of files) {
  const name = file.replace(/\.md$/, '');
  if (!grouped.includes(name) && !listed.test(file) && !chinese.test(file)) problems.push(`${file}: in no group`);
}
for (const name of grouped) {
  if (!files.includes(name + '.md')) problems.push(`${name}: in a group, and no document`);
}
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exit(1);
}
