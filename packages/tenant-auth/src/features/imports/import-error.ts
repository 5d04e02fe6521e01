import { errorsOf } from "../../tenant-error";
import { IMPORT_ERRORS } from "./error-codes";

export const importError = errorsOf(IMPORT_ERRORS);
