import { ApiError } from "./api-error";

type Answer<Data> = {
	data: Data | null;
	error: { status: number; statusText?: string; code?: string; message?: string } | null;
};

/** The data of a call of the typed client; its errors are thrown, as react-query wants them. */
export async function unwrap<Data>(call: Promise<Answer<Data>>): Promise<Data> {
	const { data, error } = await call.catch(() => {
		throw new ApiError(0, "", "The server cannot be reached. Check the connection and try again.");
	});
	if (error) {
		const { status, code = "", message } = error;
		throw new ApiError(status, code, message || "Something went wrong on the server.");
	}
	return data as Data;
}
