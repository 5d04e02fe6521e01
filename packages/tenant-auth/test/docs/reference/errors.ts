import { statusCodes } from "better-call";
import { TENANT_ERRORS } from "../../../src/error-codes";
import { IMPORT_ERRORS } from "../../../src/imports/error-codes";
import { type ErrorTexts, statusesOf } from "../../../src/tenant-error";
import { WEBHOOK_ERRORS } from "../../../src/webhooks/error-codes";
import { code, page, table } from "./markdown";

const ERRORS: ErrorTexts = { ...TENANT_ERRORS, ...IMPORT_ERRORS, ...WEBHOOK_ERRORS };

const INTRODUCTION = `An error is \`{ code, message }\`. Compare the code: messages may change. \`TENANT_AUTH_ERROR_CODES\` of \`better-auth-tenant\` has all codes of this list. All others are Better Auth's own, such as \`INVALID_EMAIL_OR_PASSWORD\`.

\`VALIDATION_ERROR\` (400) is the answer to a body or a query that is not valid. Its message names the field.

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
