import { useState } from "react";
import { Button } from "../../ui/Button";
import { FileField } from "../../ui/FileField";
import { TextField } from "../../ui/fields";
import { CHOSEN_TYPES, prepareLogo } from "./prepare-logo";

/** An image that is chosen and not uploaded yet. */
export type ChosenLogo = { fileName: string; dataUrl: string };

type LogoFieldProps = {
	texts: LogoTexts;
	url: string;
	onUrlChange: (url: string) => void;
	urlError: string | undefined;
	chosen: ChosenLogo | null;
	onChoose: (chosen: ChosenLogo | null) => void;
};

export type LogoTexts = { name: string; upload: string; url: string; hint: string };

/** An image that is uploaded, or one that is elsewhere. */
export function LogoField(props: LogoFieldProps) {
	const { texts, url, onUrlChange, urlError, chosen, onChoose } = props;
	const [error, setError] = useState<string>();
	const choose = async (file: File) => {
		setError(undefined);
		// If the new file cannot be used, the one before must not be uploaded in its place.
		onChoose(null);
		try {
			onChoose({ fileName: file.name, dataUrl: await prepareLogo(file) });
		} catch (cause) {
			setError(`${file.name}: ${(cause as Error).message}`);
		}
	};
	return (
		<fieldset className="stack">
			<legend className="visually-hidden">{texts.name}</legend>
			<FileField
				label={texts.upload}
				hint={`${texts.hint} PNG, JPEG, WebP or SVG. A large image is made smaller.`.trim()}
				error={error}
				accept={CHOSEN_TYPES.join(",")}
				forgets
				onFile={(file) => void choose(file)}
			/>
			{chosen ? (
				<div className="row" role="status">
					<span className="small break">{chosen.fileName} is uploaded when you save.</span>
					<Button size="small" onClick={() => onChoose(null)}>
						Discard<span className="visually-hidden"> {chosen.fileName}</span>
					</Button>
				</div>
			) : (
				<TextField
					label={texts.url}
					hint="Of an uploaded image, or of one on another server. Empty it to remove the image."
					type="url"
					placeholder="https://"
					autoComplete="off"
					value={url}
					onValueChange={onUrlChange}
					error={urlError}
				/>
			)}
		</fieldset>
	);
}
