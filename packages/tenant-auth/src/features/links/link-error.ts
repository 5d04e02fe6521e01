import { errorsOf } from "../../tenant-error";
import { LINK_ERRORS } from "./error-codes";

const linkError = errorsOf(LINK_ERRORS);

export const linksNotAllowed = () => linkError("LINKS_NOT_ALLOWED");
export const linkNotProven = () => linkError("LINK_NOT_PROVEN");
export const linkNotFound = () => linkError("LINK_NOT_FOUND");
