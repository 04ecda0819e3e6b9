export const settingsPath = '/api/gateway'
export const reportPath = '/api/gateway/report'
