"""What went wrong and what to do about it, in plain sentences: one row for each code of `app/errors.py`.

Each row has a plain title that needs no field of the problem, and may have a fuller one that is used when all
the fields it names ({path}, {profile}, {host}, {seconds}, ...) are there.
"""

from __future__ import annotations

from ui.language import later as L
from ui.own_tool_words import OWN_TOOLS
from ui.problem import Row
from ui.server_problems import SERVERS
from ui.trust_problems import TRUST

ACTIONS: dict[str, str] = {
    "none": "",
    "open_settings_key": L("Enter a key"),
    "open_settings": L("Open settings"),
    "pick_model": L("Choose a model"),
    "pick_folder": L("Choose a folder"),
    "run_again": L("Run again"),
    "restore_store": L("Restore a backup"),
    "open_data_folder": L("Open the data folder"),
    "wait": L("Wait"),
    "install_local": L("Get the local model"),
    "new_session": L("Start a new conversation"),
    "show_change": L("Show the change"),
    "show_rules": L("Show the rules"),
    "show_servers": L("Show the servers"),
    "report": L("Report a problem"),
}

PROBLEMS: dict[str, Row] = {
    **TRUST,
    **SERVERS,
    **OWN_TOOLS,
    # --- models and sign-in
    "no_model": Row(
        L("No model is chosen yet."),
        L("Choose a model, or sign in to a provider, and send the message again. Nothing was sent."),
        "pick_model",
    ),
    "no_key": Row(
        L("There is no key for this model yet."),
        L("Enter the key of your account. It is kept in the keyring of this computer. Nothing was sent."),
        "open_settings_key",
        L("There is no key for {profile} yet."),
    ),
    "bad_key": Row(
        L("The provider did not accept the key."),
        L("Check that the key is whole and still valid, then enter it again."),
        "open_settings_key",
        L("{profile} did not accept the key."),
    ),
    "no_credit": Row(
        L("The account has no credit left."),
        L("Add credit at the provider, or choose another model."),
        "pick_model",
        L("The account at {profile} has no credit left."),
    ),
    "no_network": Row(
        L("The model could not be reached."),
        L("Check the connection and the address of the server, then run it again. Your message is kept."),
        "run_again",
        L("{host} could not be reached."),
    ),
    "rate_limit": Row(
        L("The provider asks to wait: too many requests for now."),
        L("Wait that long and run it again, or choose another model. Your message is kept."),
        "wait",
        L("The provider asks to wait {seconds} seconds: too many requests for now."),
    ),
    "server_error": Row(
        L("The model's server had an error of its own."),
        L("Run it again in a moment, or choose another model. Your message is kept."),
        "run_again",
        L("The model's server had an error of its own ({status})."),
    ),
    "bad_reply": Row(
        L("The server answered with something that is no answer of a model."),
        L("Check that the address of the server is right; it often ends in /v1."),
        "open_settings",
        L("{host} answered with something that is no answer of a model."),
    ),
    "endless": Row(
        L("The answer went on and on, so Bramble stopped reading it."),
        L("What arrived is kept. Ask for less at once, or choose another model."),
        "run_again",
    ),
    "cut_stream": Row(
        L("The answer broke off before its end."),
        L("What arrived is kept and marked. No half-received call was run. Run it again."),
        "run_again",
    ),
    "stalled": Row(
        L("The model sent nothing for a long time, so Bramble stopped waiting."),
        L("What arrived is kept. Run it again, or choose another model."),
        "run_again",
    ),
    "overflow": Row(
        L("The conversation is longer than this model can read."),
        L("Start a new conversation, or choose a model with a larger window."),
        "new_session",
    ),
    "unsupported": Row(
        L("This model or server does not offer what was asked of it."),
        L("Choose another model."),
        "pick_model",
        L("This model or server does not offer {feature}."),
    ),
    "content_refused": Row(
        L("The provider's filter did not let this through."),
        L("Say it in other words, or choose another model."),
        "pick_model",
    ),
    "tls": Row(
        L("The connection is not secure: the server's certificate was not accepted."),
        L("Check the address and the clock of this computer. Nothing was sent."),
        "open_settings",
        L("The connection to {host} is not secure: its certificate was not accepted."),
    ),
    "no_profile": Row(
        L("There is no provider with this name."),
        L("Choose one from the list of models."),
        "pick_model",
        L("There is no provider named {profile}."),
    ),
    # --- the model in the app
    "local_missing": Row(
        L("The model for this computer is not installed yet."),
        L("It can be fetched once and then works without a network and without a key."),
        "install_local",
    ),
    "local_failed": Row(
        L("The model on this computer did not start."),
        L("Run it again. If it stays, choose another model."),
        "run_again",
    ),
    "needs_consent": Row(
        L("Bramble needs your agreement first."),
        L("Read what would be done, and agree to it. Nothing has been done yet."),
        "open_settings",
    ),
    "download_failed": Row(
        L("The download did not come through."),
        L("Run it again; it goes on where it stopped."),
        "run_again",
        L("The download of {name} did not come through."),
    ),
    "hash_mismatch": Row(
        L("The downloaded file is not the one that was expected, so it was thrown away."),
        L("Run it again. If it stays, the file was changed at its source."),
        "run_again",
    ),
    "budget": Row(
        L("The spending limit that you set is reached, so the turn ended here."),
        L("Raise the limit in the settings, or go on in a new turn."),
        "open_settings",
    ),
    "no_price": Row(
        L("The price of this model is not known, so your spending limit cannot be kept."),
        L("Tokens are counted all the same. Set a limit in tokens instead."),
        "open_settings",
    ),
    # --- the store and the settings
    "store_corrupt": Row(
        L("The data file is damaged. Bramble opened it for reading only."),
        L("What can still be read is shown and can be exported. The damaged file is always kept."),
        "restore_store",
    ),
    "store_readonly": Row(
        L("The data folder cannot be written to. Bramble opened it for reading only."),
        L("Make the folder writable and start again. What is there can still be read."),
        "open_data_folder",
        L("{path} cannot be written to. Bramble opened it for reading only."),
    ),
    "store_full": Row(
        L("The disk is full, so nothing more can be kept."),
        L("Free some space. Nothing that was kept before is lost."),
        "run_again",
    ),
    "store_locked": Row(
        L("Another program holds the data file."),
        L("Close it, or wait a moment, and run it again."),
        "run_again",
    ),
    "store_newer": Row(
        L("The data was written by a newer Bramble."),
        L("Install the newer version again. Nothing was changed."),
        "open_data_folder",
    ),
    "bad_backup": Row(
        L("This file is no backup, or it is damaged."),
        L("Choose another one. Nothing was changed."),
        "none",
        L("{path} is no backup, or it is damaged."),
    ),
    "bad_fixture": Row(
        L("This is no file of tools, so nothing was measured."),
        L("It must be a JSON list of objects with server, name, description and inputSchema."),
        "none",
        L("{path} is no file of tools, so nothing was measured."),
    ),
    "bad_settings": Row(
        L("The settings file cannot be used as it stands."),
        L("Correct the line that is named, or rename the file to start with the usual settings."),
        "open_settings",
        L("{path} cannot be used as it stands: {why}"),
    ),
    # --- conversations
    "no_session": Row(
        L("There is no such conversation."),
        L("Look for it in the list; it may have been deleted."),
        "none",
        L("There is no conversation {session}."),
    ),
    "session_busy": Row(
        L("This conversation is being answered in another window or terminal."),
        L("Wait until it is done, stop it there, or start a new conversation."),
        "wait",
    ),
    "no_folder": Row(
        L("The working folder is not there."),
        L("Choose the folder to work in. Nothing was done."),
        "pick_folder",
        L("The folder {path} is not there."),
    ),
    "bad_folder": Row(
        L("This folder is too wide to work in."),
        L("Choose a folder inside it. The home folder and the root are never worked in as a whole."),
        "pick_folder",
        L("{path} is too wide to work in."),
    ),
    # --- tools
    "unknown_tool": Row(
        L("There is no such tool."),
        L("Look at the list of tools."),
        "none",
        L("There is no tool named {tool}."),
    ),
    "bad_arguments": Row(
        L("The tool was given arguments that it cannot use."),
        L("Correct them and run it again."),
        "run_again",
    ),
    "mode_forbids": Row(
        L("This mode only reads, so the tool was not run."), L("Choose agent mode to change things."), "none"
    ),
    "refused": Row(
        L("Nobody was there to allow this, so it was not done."),
        L("Run it where Bramble can ask you, or allow it beforehand. Nothing was changed."),
        "run_again",
    ),
    "denied": Row(L("This was not allowed, so it was not done."), L("Nothing was changed."), "none"),
    "not_found": Row(
        L("There is no such file or folder."),
        L("Check the spelling and the folder."),
        "none",
        L("{path} does not exist."),
    ),
    "not_unique": Row(
        L("The text to replace stands in the file more than once."),
        L("Name more of the lines around it."),
        "none",
    ),
    "changed_since": Row(
        L("The file was changed meanwhile, so nothing was written."),
        L("Look at it again and run it again."),
        "run_again",
        L("{path} was changed meanwhile, so nothing was written."),
    ),
    "binary": Row(
        L("This file is not text, so it cannot be edited here."),
        L("Open it with a program made for it."),
        "none",
        L("{path} is not text, so it cannot be edited here."),
    ),
    "encoding": Row(
        L("The text cannot be written in the file's own encoding, so nothing was written."),
        L("Leave out the characters that it lacks, or turn the file into UTF-8."),
        "none",
        L("The text cannot be written in the encoding of {path}, so nothing was written."),
    ),
    "outside": Row(
        L("This lies outside the working folder."),
        L("Allow it, or choose the folder that holds it."),
        "pick_folder",
        L("{path} lies outside the working folder."),
    ),
    "protected": Row(
        L("This place is protected. Bramble never changes it."),
        L("Change it yourself if you are sure."),
        "none",
        L("{path} is protected. Bramble never changes it."),
    ),
    "too_large": Row(
        L("This is too large to be handled at once."),
        L("Take a part of it."),
        "none",
        L("{path} is too large to be handled at once."),
    ),
    "no_permission": Row(
        L("The system does not allow this."),
        L("Check the rights of the file or folder."),
        "none",
        L("The system does not allow access to {path}."),
    ),
    "disk_full": Row(
        L("The disk is full, so nothing was written."), L("Free some space and run it again."), "run_again"
    ),
    "not_text": Row(
        L("This cannot be read as text."),
        L("Only text can be handed over as it is; pictures and documents cannot."),
        "none",
        L("{path} cannot be read as text."),
    ),
    "no_job": Row(
        L("There is no such job."),
        L("It may have ended; its output is in the conversation."),
        "none",
        L("There is no job {job}."),
    ),
    "no_trash": Row(
        L("There is no trash for this place, so nothing was deleted."),
        L("Move it to your own drive first, or delete it yourself."),
    ),
    # --- skills
    "no_skill": Row(
        L("There is no such skill."),
        L("Look at the list of skills."),
        "none",
        L("There is no skill named {name}."),
    ),
    "bad_skill": Row(
        L("This is no whole skill, so it was not saved."),
        L("It needs a block with a name and a description, and instructions below."),
        "none",
        L("This is no whole skill, so it was not saved: {why}"),
    ),
    "skill_exists": Row(
        L("There is a skill of this name already, so nothing was saved."),
        L("Choose another name, or change the one that is there."),
        "none",
        L("There is a skill named {name} already, so nothing was saved."),
    ),
    "no_project_skills": Row(
        L("This folder belongs to no project with skills."),
        L("A project's skills lie in its folder .agents/skills."),
        "none",
        L("{path} belongs to no project with skills."),
    ),
    "skills_changed": Row(
        L("The skills of this project were changed in the meantime, so nothing was agreed to."),
        L("Look at them again."),
        "none",
    ),
    "nothing_done": Row(
        L("Nothing was said in this conversation yet, so there is nothing to make a skill of."),
        L("Ask for something first."),
        "none",
    ),
    "skills_too_large": Row(
        L("The skills of this project are too many or too large to be looked after."),
        L("Up to 2,000 files and 64 MiB can be agreed to. Copy those that you need to your own skills."),
        "none",
    ),
    # --- taking back
    "undo_conflict": Row(
        L("The file was changed after this, so taking it back would lose that. Nothing was changed."),
        L("Look at the differences and decide which text should stay."),
        "show_change",
        L("{path} was changed after this, so taking it back would lose that. Nothing was changed."),
    ),
    "no_change": Row(
        L("There is no such change to take back."),
        L("Look at the list of changes."),
        "none",
        L("There is no change {change}."),
    ),
    "taken_back": Row(
        L("This is taken back already."),
        L("To let it stand again, take back the undo: it is in the list of changes too."),
        "show_change",
        L("The change {change} is taken back already."),
    ),
    "internal": Row(
        L("Bramble made a mistake of its own."),
        L("Your conversation is kept. Run it again; if it stays, report the problem."),
        "report",
    ),
}
