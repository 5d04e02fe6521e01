import { Card } from "../../ui/Card";
import { CopyButton } from "../../ui/CopyButton";
import type { KeptMail } from "../api/service";
import { formatMoment } from "../format/moment";

export function MailCard({ mail }: { mail: KeptMail }) {
	const link = /https?:\/\/\S+/.exec(mail.text)?.[0];
	return (
		<Card
			title={mail.subject}
			hint={
				<>
					To {mail.to} · {formatMoment(mail.sentAt)}
				</>
			}
			actions={
				link && (
					<>
						<CopyButton value={link} what="link" labelled />
						<a
							className="button button-secondary button-small"
							href={link}
							target="_blank"
							rel="noreferrer"
						>
							Open link
						</a>
					</>
				)
			}
		>
			<details className="more">
				<summary>Text</summary>
				<p className="mail-text break">{mail.text}</p>
			</details>
		</Card>
	);
}
