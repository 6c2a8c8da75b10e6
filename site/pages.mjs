// SPDX-License-Identifier: Apache-2.0
// The pages of the site in the order of its navigation. A document that is in no group fails the build.
export const groups = [
  ['Begin', ['README', 'docs/hot-table', 'docs/compare', 'docs/guide', 'docs/installation', 'docs/develop']],
  ['Design a key', [
    'docs/layout-language', 'docs/salts', 'docs/advisor', 'docs/advice-figures', 'docs/key-format', 'docs/scan-ranges', 'docs/scale']],
  ['Write an application', [
    'docs/compatibility', 'docs/api', 'docs/versions', 'docs/filters', 'docs/timeouts', 'docs/scans', 'docs/connectors',
    'docs/spark', 'docs/mapreduce']],
  ['Migrate', [
    'docs/migrations', 'docs/rollback', 'docs/grow', 'docs/change-key', 'docs/rename', 'docs/replicated-tables', 'docs/migration-costs']],
  ['Indexes', ['docs/indexes', 'docs/index-reads', 'docs/index-repair', 'docs/index-limits']],
  ['Operate', [
    'docs/operations', 'docs/records', 'docs/guard', 'docs/guard-writes', 'docs/registry', 'docs/rights',
    'docs/security', 'docs/upgrade', 'docs/zookeeper-down', 'docs/hbase-operations']],
  ['Observe', ['docs/observe', 'docs/portal', 'docs/portal-access', 'docs/hot-keys', 'docs/troubleshooting']],
  ['Reference', ['docs/settings', 'docs/metrics', 'docs/errors', 'docs/codes', 'docs/limits', 'docs/json', 'docs/stability', 'docs/commands/README']],
  ['Benchmarks', ['docs/benchmarks', 'docs/benchmarks-indexes', 'docs/benchmarks-keys', 'docs/benchmarks-limits']],
  ['Develop Evenkey', [
    'docs/architecture', 'docs/decisions/README', 'CONTRIBUTING', 'docs/testing', 'docs/long-tests', 'docs/models', 'docs/test-times',
    'docs/client-tests', 'docs/releasing', 'SECURITY', 'CHANGELOG']],
];

// Listed by a page of their own.
export const listed = /^docs\/(commands|decisions)\//;

// Where a document is on the site, from the site's root and without an ending.
export function place(name) {
  const page = name.replace(/\.zh-CN$/, '').replace(/^docs\//, '').replace(/(^|\/)README$/, '$1index');
  const at = /^[A-Z]/.test(page) ? 'project/' + page.toLowerCase() : page;
  return name.endsWith('.zh-CN') ? 'zh/' + at : at;
}
