import { statusCodes } from "better-call";
import { statusesOf } from "../../../src/tenant-error";
import { ERRORS } from "../../support/worlds/features";
import { code, page, table } from "./markdown";

const INTRODUCTION = `An error is \`{ code, message }\`. Compare the code: messages may change. \`TENANT_AUTH_ERROR_CODES\` of \`better-auth-tenant\` has those of \`tenantAuth()\`, and each plugin has its own as \`$ERROR_CODES\`. All others are Better Auth's own, such as \`INVALID_EMAIL_OR_PASSWORD\`.

\`VALIDATION_ERROR\` (400) is the response to a body or a query that is not valid. Its message names the field.

A callback of a social sign-in that fails redirects to the \`errorCallbackURL\` of the sign-in, or to Better Auth's error URL, with \`error\` and sometimes \`error_description\`.`;

export function errorsPage(): string {
	const rows = Object.keys(ERRORS)
		.sort()
		.map((it) => {
			const statuses = statusesOf(ERRORS, it).map((name) => statusCodes[name]);
			return [code(it), statuses.sort().join(", "), ERRORS[it]?.message ?? ""];
		});
	return page("Errors", INTRODUCTION, [table(["code", "status", "message"], rows)]);
}
