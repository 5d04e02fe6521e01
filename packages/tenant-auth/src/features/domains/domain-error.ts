import { errorsOf } from "../../tenant-error";
import { DOMAIN_ERRORS } from "./error-codes";

export const domainError = errorsOf(DOMAIN_ERRORS);
