import { accountErrorCodes } from '../../accounts/error-codes.ts'
import { catalogueErrorCodes } from '../../catalogue/error-codes.ts'
import { noticeErrorCodes } from '../../notices/error-codes.ts'
import { requestErrorCodes } from '../../requests/error-codes.ts'
import { membershipErrorCodes } from '../../membership/error-codes.ts'
import type { ErrorCode } from '../../../http/docs/error-code.ts'
import { serverErrorCodes } from '../../../http/docs/error-codes.ts'

/** Every code of an `AppError`, explained. */
export const errorCodes: readonly ErrorCode[] = [
  ...serverErrorCodes,
  ...accountErrorCodes,
  ...membershipErrorCodes,
  ...catalogueErrorCodes,
  ...requestErrorCodes,
  ...noticeErrorCodes,
]
