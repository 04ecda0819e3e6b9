/** The job that continues the checks of links. Queue it to have them run at once. */
export const checkMoreLinksJob = 'catalogue.check-more-links'
