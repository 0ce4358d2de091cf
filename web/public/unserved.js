// A plain script: those of the page are modules, which browsers do not load from files.
if (location.protocol === 'file:') document.getElementById('unserved').hidden = false
