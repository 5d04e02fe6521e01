import { errorsOf } from "../../tenant-error";
import { WEBHOOK_ERRORS } from "./error-codes";

export const webhookError = errorsOf(WEBHOOK_ERRORS);
