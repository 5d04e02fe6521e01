import { errorsOf } from "../../tenant-error";
import { INVITATION_ERRORS } from "./error-codes";

const invitationError = errorsOf(INVITATION_ERRORS);

export const invitationNotFound = () => invitationError("INVITATION_NOT_FOUND");
