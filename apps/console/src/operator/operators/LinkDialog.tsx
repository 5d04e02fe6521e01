import { formatTime } from "../../format";
import { Button, CopyButton } from "../../ui/Button";
import { Dialog } from "../../ui/Dialog";
import type { PasswordLink } from "../api/operators";

type LinkDialogProps = { link: PasswordLink | undefined; onClose: () => void };

/** Shows the link of an invitation, or says that it was sent. */
export function LinkDialog({ link, onClose }: LinkDialogProps) {
	return (
		<Dialog title="Link to choose a password" open={link !== undefined} onClose={onClose}>
			{link && (
				<>
					{link.url ? (
						<>
							<p>
								Give this link to <strong className="break">{link.operator.email}</strong>. It works
								once, until {formatTime(link.expiresAt)}. It is not shown again.
							</p>
							<p className="with-button">
								<code className="break">{link.url}</code>
								<CopyButton value={link.url} what="link" labeled />
							</p>
						</>
					) : (
						<p>
							We sent a link to <strong className="break">{link.operator.email}</strong>. It works
							once, until {formatTime(link.expiresAt)}.
						</p>
					)}
					<footer className="dialog-foot">
						<Button kind="primary" onClick={onClose}>
							Done
						</Button>
					</footer>
				</>
			)}
		</Dialog>
	);
}
