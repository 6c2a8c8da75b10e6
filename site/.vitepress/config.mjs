// SPDX-License-Identifier: Apache-2.0
import fs from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {groups, place} from '../pages.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..');

const title = name => fs.readFileSync(path.join(root, name + '.md'), 'utf8').match(/^# (.*)$/m)[1].replace(/`/g, '');
const address = name => '/' + place(name).replace(/index$/, '');
const titles = {README: 'First steps', 'docs/commands/README': 'Commands', CHANGELOG: 'Changes'};

const sidebar = groups.map(([text, names]) => ({
  text,
  collapsed: !['Begin', 'Migrate', 'Operate'].includes(text),
  items: names.map(name => ({text: titles[name] ?? title(name), link: address(name)})),
}));

const chinese = ['README', 'docs/hot-table', 'docs/guide', 'docs/layout-language', 'docs/salts']
    .filter(name => fs.existsSync(path.join(root, name + '.zh-CN.md')))
    .map(name => ({text: title(name + '.zh-CN'), link: address(name + '.zh-CN')}));

// As hosting sites of repositories make anchors of headings, which the documents' links use.
const anchor = text => text.trim().toLowerCase().replace(/[^\p{L}\p{N}_\- ]/gu, '').replace(/ /g, '-');

export default {
  title: 'Evenkey',
  description: 'Row keys for Apache HBase, without hotspots',
  srcDir: 'target/source',
  outDir: '../target/site',
  cacheDir: 'target/cache',
  cleanUrls: false,
  metaChunk: true,
  markdown: {
    anchor: {slugify: anchor},
    config: markdown => {
      markdown.set({html: false});
      // Code in the margin is shown as fenced code is.
      markdown.renderer.rules.code_block = (tokens, i, options, env, self) => {
        tokens[i].info = 'text';
        return self.rules.fence(tokens, i, options, env, self);
      };
    },
  },
  locales: {
    root: {label: 'English', lang: 'en'},
    zh: {
      label: '简体中文',
      lang: 'zh-CN',
      description: 'Apache HBase 的行键，没有热点',
      themeConfig: {
        sidebar: [{text: 'Evenkey', items: chinese}],
        nav: [{text: '所有文档（英文）', link: '/'}],
        outline: {label: '本页目录', level: [2, 3]},
        docFooter: {prev: '上一页', next: '下一页'},
        darkModeSwitchLabel: '外观',
        sidebarMenuLabel: '目录',
        returnToTopLabel: '回到顶部',
        langMenuLabel: '语言',
      },
    },
  },
  themeConfig: {
    outline: {level: [2, 3]},
    nav: [
      {text: 'I have a hot table', link: '/hot-table'},
      {text: 'Commands', link: '/commands/'},
      {text: 'Settings', link: '/settings'},
      {text: 'Troubleshooting', link: '/troubleshooting'},
    ],
    sidebar,
    search: {
      provider: 'local',
      options: {
        miniSearch: {
          options: {
            // Chinese has no blanks between words.
            tokenize: text => Array.from(new Intl.Segmenter('zh', {granularity: 'word'}).segment(text))
                .filter(part => part.isWordLike).map(part => part.segment),
          },
        },
        locales: {
          zh: {
            translations: {
              button: {buttonText: '搜索', buttonAriaLabel: '搜索'},
              modal: {
                noResultsText: '没有找到',
                resetButtonTitle: '清除',
                footer: {selectText: '选择', navigateText: '移动', closeText: '关闭'},
              },
            },
          },
        },
      },
    },
  },
};
