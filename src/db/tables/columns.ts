import type { ColumnType } from 'kysely'

/** Written as a date or its ISO text, read as a date. */
export type Timestamp = ColumnType<Date, Date | string, Date | string>
/** The same, set by the database when nothing is given. */
export type TimestampByDefault = ColumnType<Date, Date | string | undefined, Date | string>
