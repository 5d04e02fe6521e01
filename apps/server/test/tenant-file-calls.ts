import type { RunningService } from "./running-service";

export const filePassword = "the password of the file";

type Service = Pick<RunningService, "call">;
type Headers = Record<string, string>;

/** Asks for the file of a tenant, as an operator or with a key. */
export const exportFrom = ({ call }: Service, headers: Headers, body: object) =>
	call("/service/tenant-file/export", {
		method: "POST",
		headers: { "content-type": "application/json", ...headers },
		body: JSON.stringify({ password: filePassword, ...body }),
	});

/** The body of an import: a line of JSON, and then the file. */
export const importBody = (file: Uint8Array, settings: object = {}) =>
	Buffer.concat([
		Buffer.from(`${JSON.stringify({ password: filePassword, ...settings })}\n`),
		file,
	]);

export const importInto = (
	{ call }: Service,
	headers: Headers,
	file: Uint8Array,
	settings: object = {},
) =>
	call("/service/tenant-file/import", {
		method: "POST",
		headers,
		body: importBody(file, settings),
	});
