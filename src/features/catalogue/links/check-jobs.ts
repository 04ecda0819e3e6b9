/** The job that goes on with checking links; whoever wants them checked at once queues it. */
export const moreLinks = 'catalogue.check-more-links'
