import { onTestFinished, vi } from "vitest";

/**
 * Lets `XMLHttpRequest` send its requests with `fetch`, so that the fake server answers them. The fake server
 * gets the line of JSON before the file as the body, with the file as a text. Half of it is sent before the
 * answer is there.
 */
export function fakeUploads(): void {
	class FakeRequest extends EventTarget {
		status = 0;
		responseText = "";
		upload: { onprogress?: (event: { loaded: number }) => void } = {};
		onload?: () => void;
		onerror?: () => void;
		onabort?: () => void;
		#method = "";
		#url = "";
		readonly #headers = new Headers();
		#isAborted = false;

		open(method: string, url: string) {
			this.#method = method;
			this.#url = url;
		}

		setRequestHeader(name: string, value: string) {
			this.#headers.set(name, value);
		}

		abort() {
			this.#isAborted = true;
			this.onabort?.();
		}

		async send(body: Blob) {
			this.upload.onprogress?.({ loaded: body.size / 2 });
			const [head = "", file] = (await body.text()).split("\n");
			const json = JSON.stringify({ ...JSON.parse(head), file });
			const init = { method: this.#method, headers: this.#headers, body: json };
			try {
				const response = await fetch(this.#url, init);
				if (this.#isAborted) return;
				this.status = response.status;
				this.responseText = await response.text();
				this.onload?.();
			} catch {
				this.onerror?.();
			}
		}
	}

	vi.stubGlobal("XMLHttpRequest", FakeRequest);
	onTestFinished(() => {
		vi.unstubAllGlobals();
	});
}
