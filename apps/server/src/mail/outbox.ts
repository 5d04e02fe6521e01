import type { Mail } from "./mail";

export type KeptMail = Mail & { id: number; sentAt: Date };

const mostMails = 100;

/** Where mails stay when there is no server to send them: the newest first, and not too many. */
export class Outbox {
	#mails: KeptMail[] = [];
	#count = 0;

	add(mail: Mail): void {
		this.#count += 1;
		const kept = { id: this.#count, sentAt: new Date(), ...mail };
		this.#mails = [kept, ...this.#mails].slice(0, mostMails);
	}

	list(): KeptMail[] {
		return this.#mails;
	}
}
