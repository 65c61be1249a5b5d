/** Stands in place of what a bundled library could use and never does. */
module.exports = {};
