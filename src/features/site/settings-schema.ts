import * as z from 'zod/mini'

/** The settings in force (GET /api/admin/settings), in the order of the documentation. */
export const SettingsInForce = z.array(
  z.object({
    name: z.string(),
    /** '' where it is unset, `***` for a secret that is set. */
    value: z.string(),
    /** `environment`, the path of the settings file, NAME_FILE, or `default`. */
    source: z.string(),
  }),
)
