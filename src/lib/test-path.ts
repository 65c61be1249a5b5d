/** Paths of tests, what they are held against, and what they share, by the customs of most languages. */
export const TEST_PATH =
  /(?:^|\/)(?:tests?|__tests__|specs?|e2e|cypress|testdata|fixtures|__snapshots__|__mocks__)\/|[._-](?:test|spec|cy|e2e|snap)s?(?:\.|$)|(?:^|\/)test_|Tests?\.(?:java|kt|cs|swift|php)$/iu;
