/** A call that failed. `status` is 0 when the server was not reached. */
export class ApiError extends Error {
	override name = "ApiError";
	readonly status: number;
	/** Such as `INVALID_EMAIL_OR_PASSWORD`; empty when the server named none. */
	readonly code: string;

	constructor(status: number, code: string, message: string) {
		super(message);
		this.status = status;
		this.code = code;
	}
}
