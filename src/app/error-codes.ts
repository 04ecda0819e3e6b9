import { accountErrorCodes } from '../features/accounts/error-codes.ts'
import { catalogueErrorCodes } from '../features/catalogue/error-codes.ts'
import { officeErrorCodes } from '../features/office/error-codes.ts'
import type { ErrorCode } from '../http/docs/error-code.ts'
import { serverErrorCodes } from '../http/docs/error-codes.ts'

/** Every code of an `AppError`, explained. */
export const errorCodes: readonly ErrorCode[] = [
  ...serverErrorCodes,
  ...officeErrorCodes,
  ...accountErrorCodes,
  ...catalogueErrorCodes,
]
